import { passwordProblem } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import type { AuthMethods } from './contract.ts';

/** The ways to sign in that the settings offer. `oidc` shows the first provider of its kind; `providers` has them all. */
export function authMethods({ settings, mailer }: Pick<Services, 'settings' | 'mailer'>): AuthMethods {
  const { password_enabled: isPassword, terms_of_service_url, providers } = settings.signOn;
  const oidc = providers.find(({ type }) => type === 'oidc');
  return {
    terms_of_service_url,
    password: { enabled: isPassword },
    codehost: { enabled: providers.some(({ type }) => type === 'codehost') },
    oidc: { enabled: oidc !== undefined, signInText: oidc?.display_name ?? '', iconUrl: oidc?.icon_url ?? '' },
    providers: providers.map(({ id, type, display_name, icon_url }) => ({ id, type, display_name, icon_url })),
    password_reset: { enabled: isPassword && mailer.isConfigured },
  };
}

/** Whether a password is good enough, and why not. It is kept nowhere. */
export async function validatePassword(
  { services, request }: Pick<Call, 'services' | 'request'>,
  { password }: { password: string },
): Promise<{ valid: boolean; details: string }> {
  await services.loginLimit.consume(request.ip);
  const problem = passwordProblem(password);
  return { valid: problem === null, details: problem ?? '' };
}
