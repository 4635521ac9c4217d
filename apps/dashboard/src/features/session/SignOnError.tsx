import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { AnchorLink } from '../../ui/links.tsx';
import { signOnProblem } from './sign-on-errors.ts';

/** Why signing in with a provider did not work, and what to do now. */
export function SignOnError({ code }: { code: string }): React.JSX.Element {
  const { title, advice, isConversion } = signOnProblem(code);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title} role="alert">
      {advice}{' '}
      {isConversion === true && (
        <AnchorLink to="/account/security" inherit underline="always">
          Back to your account
        </AnchorLink>
      )}
    </Alert>
  );
}
