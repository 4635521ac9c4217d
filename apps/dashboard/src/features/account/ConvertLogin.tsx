import { Button, Group, Modal, PasswordInput, Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { formErrors, isKind, problemOf } from '../../api/errors.ts';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import type { Provider } from '../session/ProviderButtons.tsx';
import { signOnAddress } from '../session/sign-on-address.ts';

interface Props {
  readonly providers: readonly Provider[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Exchanges the password of one's account for the sign-on of a provider. */
export function ConvertLogin({ isOpen, onClose, providers }: Props): React.JSX.Element {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Sign in with a provider" closeButtonProps={{ 'aria-label': 'Close' }}>
      <ConvertForm providers={providers} onClose={onClose} />
    </Modal>
  );
}

function ConvertForm({ providers, onClose }: Omit<Props, 'isOpen'>): React.JSX.Element {
  const form = useForm({
    initialValues: { provider: providers[0]?.id ?? '', password: '' },
    validate: { password: (value) => (value === '' ? 'Type your password.' : null) },
  });
  const convert = useMutation(
    // A wrong password is answered like a lost session, which this is not.
    trpc.auth.convertLogin.mutationOptions({
      meta: { anonymous: true },
      onError: (error) => {
        if (isKind(error, 'unauthenticated')) form.setErrors({ password: problemOf(error).message });
        else form.setErrors(formErrors(problemOf(error), ['password']).errors);
      },
    }),
  );
  const submit = async ({ provider: id, password }: { provider: string; password: string }): Promise<void> => {
    const provider = providers.find((candidate) => candidate.id === id);
    if (provider === undefined) return;
    const begun = await convert.mutateAsync({ user: 'me', to_type: provider.type, password }).catch(() => undefined);
    if (begun !== undefined) {
      location.assign(signOnAddress(provider, { redirect: '/account/security', conversion: begun.state_string }));
    }
  };
  const isPasswordWrong = convert.isError && isKind(convert.error, 'unauthenticated');
  return (
    <form noValidate onSubmit={form.onSubmit((values) => void submit(values))}>
      <Stack>
        <Text size="sm">
          You leave for the provider and sign in there with the e-mail address of this account. From then on you sign in that way only, and
          your password is gone.
        </Text>
        {!isPasswordWrong && <Refusal error={convert.error} fields={['password']} />}
        {providers.length > 1 && (
          <Radio.Group label="Provider" {...form.getInputProps('provider')}>
            <Stack gap="xs" mt={6}>
              {providers.map(({ id, display_name }) => (
                <Radio key={id} value={id} label={display_name} />
              ))}
            </Stack>
          </Radio.Group>
        )}
        <PasswordInput
          label="Your password, once more"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={convert.isPending || convert.isSuccess}>
            Continue{providers.length === 1 && ` with ${providers[0]?.display_name ?? ''}`}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
