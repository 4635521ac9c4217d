import { Progress, Text } from '@mantine/core';
import { PASSWORD_ENTROPY_BITS_MIN, passwordEntropyBits, passwordProblem } from '@berth/domain';

/** The rule for passwords, and how far the typed one is from keeping it. */
export function PasswordStrength({ password }: { password: string }): React.JSX.Element {
  const share = Math.min(100, (passwordEntropyBits(password) / PASSWORD_ENTROPY_BITS_MIN) * 100);
  const problem = password === '' ? null : passwordProblem(password);
  const isFine = password !== '' && problem === null;
  return (
    <div>
      <Progress value={share} size={4} mt={8} color={isFine ? 'teal' : 'yellow'} aria-label="Password strength" />
      <Text size="xs" c="dimmed" mt={4} aria-live="polite">
        {isFine ? 'Good password.' : (problem ?? 'A few unrelated words are easy to remember and hard to guess.')}
      </Text>
    </div>
  );
}
