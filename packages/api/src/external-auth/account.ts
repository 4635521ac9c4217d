import { z } from 'zod';
import type { ExternalAuthAppInstallation, ExternalAuthUser } from './contract.ts';
import type { OutboundAnswer } from './outbound.ts';
import { OutboundError, askService } from './outbound.ts';
import { bearer } from './service-requests.ts';
import type { ExternalAuthProvider } from './settings.ts';
import { parseJson } from './token-answer.ts';

/** What a service says becomes a link in the dashboard: an address of the web, or none. */
const webAddress = () =>
  z
    .url({ protocol: /^https?$/ })
    .max(2048)
    .catch('');
const shortText = () =>
  z
    .string()
    .transform((text) => text.replaceAll('\0', '').toWellFormed().slice(0, 256))
    .catch('');
const id = () => z.int();

const GitHubAccount = z
  .object({ id: id(), login: shortText(), avatar_url: webAddress(), html_url: webAddress(), name: shortText() })
  .transform(({ html_url, ...user }): ExternalAuthUser => ({ ...user, profile_url: html_url }));

const GitLabAccount = z
  .object({ id: id(), username: shortText(), avatar_url: webAddress(), web_url: webAddress(), name: shortText() })
  .transform(({ username, web_url, ...user }): ExternalAuthUser => ({ ...user, login: username, profile_url: web_url }));

const GiteaAccount = z
  .object({ id: id(), login: shortText(), avatar_url: webAddress(), html_url: webAddress(), full_name: shortText() })
  .transform(({ html_url, full_name, ...user }): ExternalAuthUser => ({ ...user, profile_url: html_url, name: full_name }));

const ACCOUNTS: Readonly<Record<string, z.ZodType<ExternalAuthUser>>> = {
  github: GitHubAccount,
  gitlab: GitLabAccount,
  gitea: GiteaAccount,
};

const INSTALLATIONS_MAX = 100;
const Installations = z.object({
  installations: z
    .array(
      z
        .object({ id: id(), account: GitHubAccount, html_url: webAddress() })
        .transform(({ html_url, ...rest }): ExternalAuthAppInstallation => ({ ...rest, configure_url: html_url })),
    )
    .max(INSTALLATIONS_MAX),
});

interface Asked {
  readonly accessToken: string;
  /** What the service answered when the token was validated: often the account itself. */
  readonly validation: OutboundAnswer | null;
}

/** Whose account a token is for; null where the kind of service is not known to tell, or does not. */
export async function readAccount(provider: ExternalAuthProvider, { accessToken, validation }: Asked): Promise<ExternalAuthUser | null> {
  const schema = ACCOUNTS[provider.type];
  const { userInfoUrl } = provider;
  if (schema === undefined || userInfoUrl === undefined) return null;
  const isAnswered = validation !== null && userInfoUrl === provider.validateUrl;
  const answer = isAnswered ? validation : await askOrNull(userInfoUrl, accessToken);
  return answer === null ? null : (schema.safeParse(parseJson(answer.text)).data ?? null);
}

/** Where the service's app is installed for this account; null when the service does not tell. */
export async function readInstallations(
  { appInstallationsUrl }: ExternalAuthProvider,
  accessToken: string,
): Promise<ExternalAuthAppInstallation[] | null> {
  if (appInstallationsUrl === undefined) return null;
  const url = new URL(appInstallationsUrl);
  url.searchParams.set('per_page', String(INSTALLATIONS_MAX));
  const answer = await askOrNull(url.href, accessToken);
  return answer === null ? null : (Installations.safeParse(parseJson(answer.text)).data?.installations ?? null);
}

async function askOrNull(url: string, accessToken: string): Promise<OutboundAnswer | null> {
  try {
    const answer = await askService(url, { headers: bearer(accessToken) });
    return answer.status === 200 ? answer : null;
  } catch (error) {
    if (error instanceof OutboundError) return null;
    throw error;
  }
}
