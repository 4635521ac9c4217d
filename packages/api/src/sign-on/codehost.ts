import { nameProblem } from '@berth/domain';
import {
  ClientSecretPost,
  Configuration,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  customFetch,
} from 'openid-client';
import { z } from 'zod';
import { askService } from '../external-auth/outbound.ts';
import type { SignOnErrorCode } from './contract.ts';
import type { AuthorizationAnswer, AuthorizationRequest } from './oidc.ts';
import type { Claims, Person } from './person.ts';
import { asciiLower, avatarOf, providerTokens, storableJson } from './person.ts';
import { PROVIDER_TIMEOUT_SECONDS, providerFetch, refusalOfPage, refusalOfProvider } from './provider-http.ts';
import { SignOnRefusal } from './refusal.ts';
import type { CodehostProvider } from './settings.ts';

const PAGE = 100;
/** Memberships and teams beyond this are not looked at. */
const PAGES_MAX = 10;

const Account = z.looseObject({
  /** A number that the host never gives twice; the login may change hands. */
  id: z.int().positive(),
  login: z.string().min(1).max(255),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});
const Email = z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() });
const Membership = z.object({ state: z.string(), organization: z.object({ login: z.string() }) });
const Team = z.object({ slug: z.string(), organization: z.object({ login: z.string() }) });

/** The code host as the library sees it: addresses of the settings, and nothing to discover. */
export function codehostConfiguration(provider: CodehostProvider): Configuration {
  const configuration = new Configuration(
    { issuer: codehostIssuer(provider), authorization_endpoint: provider.authorize_url, token_endpoint: provider.token_url },
    provider.client_id,
    {},
    ClientSecretPost(provider.client_secret.reveal()),
  );
  configuration.timeout = PROVIDER_TIMEOUT_SECONDS;
  configuration[customFetch] = providerFetch;
  if (provider.token_url.startsWith('http:')) allowInsecureRequests(configuration);
  return configuration;
}

/** Names whose numbers the account ids are; never equal to an OpenID Connect issuer, whose subjects are others. */
function codehostIssuer({ api_url }: Pick<CodehostProvider, 'api_url'>): string {
  return `codehost:${api_url.replace(/\/+$/, '')}`;
}

/** Where the browser goes to sign in. */
export function codehostAddress(provider: CodehostProvider, request: Omit<AuthorizationRequest, 'nonce'>): string {
  return buildAuthorizationUrl(codehostConfiguration(provider), {
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope: provider.scopes.join(' '),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  }).href;
}

/** Trades the code and asks the host's API who it is for. */
export async function codehostPerson(provider: CodehostProvider, answer: AuthorizationAnswer, now: Date): Promise<Person> {
  try {
    const tokens = await authorizationCodeGrant(codehostConfiguration(provider), ownAnswer(provider, answer.callback), {
      expectedState: answer.state,
      pkceCodeVerifier: answer.verifier,
    });
    const api = new CodehostApi(provider, tokens.access_token);
    const account = Account.parse(await api.get('/user'));
    const email = (await api.list('/user/emails', Email)).find(({ primary, verified }) => primary && verified)?.email ?? '';
    const groups = await allowedGroups(provider, api);
    const merged = { ...account, email, email_verified: email !== '', organizations: groups.organizations, groups: groups.teams };
    return {
      issuer: codehostIssuer(provider),
      subject: String(account.id),
      email,
      username: account.login.replaceAll('_', '-'),
      name: account.name ?? '',
      avatarUrl: avatarOf(account.avatar_url),
      refusal: refusalOf(email, groups.isAllowed),
      claims: { idToken: {}, userInfo: storable(account), merged: storable(merged) },
      tokens: providerTokens(tokens, now),
    };
  } catch (error) {
    throw refusalOfPage(error) ?? refusalOfProvider(error);
  }
}

/** The callback without the issuer, which the library cannot know of a host that it did not discover; another host's is refused here. */
function ownAnswer(provider: CodehostProvider, callback: URL): URL {
  const issuer = callback.searchParams.get('iss');
  if (issuer === null) return callback;
  if (URL.parse(issuer)?.origin !== new URL(provider.authorize_url).origin) throw new SignOnRefusal('provider_answer_invalid');
  const own = new URL(callback);
  own.searchParams.delete('iss');
  return own;
}

const storable = (claims: Claims): Claims => Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, storableJson(value)]));

function refusalOf(email: string, isAllowed: boolean): SignOnErrorCode | null {
  if (email === '') return 'email_not_verified';
  if (nameProblem('email', email) !== null) return 'email_missing';
  return isAllowed ? null : 'not_in_allowed_group';
}

interface Groups {
  readonly organizations: readonly string[];
  readonly teams: readonly string[];
  readonly isAllowed: boolean;
}

/** The host compares names without regard to case, so do we. Fails closed: who may sign in has to be named, or be everybody. */
async function allowedGroups(provider: CodehostProvider, api: CodehostApi): Promise<Groups> {
  const { allow_everyone: isForAll, allowed_teams: allowedTeams } = provider;
  const readsTeams = allowedTeams.length > 0;
  if (isForAll && provider.allowed_organizations.length === 0 && !readsTeams) return { organizations: [], teams: [], isAllowed: true };
  const memberships = await api.list('/user/memberships/orgs?state=active', Membership);
  const organizations = memberships.filter(({ state }) => state === 'active').map(({ organization }) => asciiLower(organization.login));
  const isMember = organizations.some((name) => provider.allowed_organizations.some((allowed) => asciiLower(allowed) === name));
  const teams = readsTeams
    ? (await api.list('/user/teams', Team)).map(({ slug, organization }) => `${asciiLower(organization.login)}/${asciiLower(slug)}`)
    : [];
  const isInTeam = teams.some((team) => {
    const ofAllowed = provider.allowed_organizations.some((allowed) => team.startsWith(`${asciiLower(allowed)}/`));
    return ofAllowed && allowedTeams.some((allowed) => asciiLower(allowed) === team);
  });
  return { organizations, teams, isAllowed: isForAll || (isMember && (!readsTeams || isInTeam)) };
}

/** The host's API, asked with the person's own token: at the configured address, without redirects, bounded in time and size. */
class CodehostApi {
  readonly #base: string;
  readonly #token: string;

  constructor(provider: CodehostProvider, token: string) {
    this.#base = provider.api_url.replace(/\/+$/, '');
    this.#token = token;
  }

  async get(path: string): Promise<unknown> {
    const { status, text } = await askService(`${this.#base}${path}`, {
      headers: { authorization: `Bearer ${this.#token}`, accept: 'application/vnd.github+json, application/json' },
    });
    if (status >= 500 || status === 429) throw new SignOnRefusal('provider_unavailable', new Error(`${path} answered ${status}`));
    if (status !== 200) throw new SignOnRefusal('provider_answer_invalid', new Error(`${path} answered ${status}`));
    return JSON.parse(text);
  }

  /** Every entry of a list, page by page; entries of another form are not counted. */
  async list<T>(path: string, Item: z.ZodType<T>): Promise<T[]> {
    const found: T[] = [];
    for (let page = 1; page <= PAGES_MAX; page++) {
      const items = z.array(z.unknown()).parse(await this.get(`${path}${path.includes('?') ? '&' : '?'}per_page=${PAGE}&page=${page}`));
      for (const item of items) {
        const parsed = Item.safeParse(item);
        if (parsed.success) found.push(parsed.data);
      }
      if (items.length < PAGE) break;
    }
    return found;
  }
}
