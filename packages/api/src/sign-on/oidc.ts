import {
  ClientSecretBasic,
  ClientSecretPost,
  None,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import type { ClientAuth, Configuration } from 'openid-client';
import { SignOnRefusal } from './refusal.ts';
import { mergeClaims, personOfClaims } from './oidc-claims.ts';
import type { Claims, Person } from './person.ts';
import { providerTokens, storableJson } from './person.ts';
import { PROVIDER_TIMEOUT_SECONDS, providerFetch, refusalOfPage, refusalOfProvider } from './provider-http.ts';
import type { OidcProvider } from './settings.ts';

/** Keys and addresses of a provider change seldom; a changed key is looked up by itself before this. */
const DISCOVERED_MS = 10 * 60_000;
const CLOCK_TOLERANCE_SECONDS = 30;

interface Discovered {
  readonly configuration: Promise<Configuration>;
  readonly until: number;
}

/** One discovery for all requests at a time; forgotten when it failed, so that the next person asks again. */
const discovered = new WeakMap<OidcProvider, Discovered>();

/** The provider as it describes itself. Throws `provider_unavailable`. */
export function discover(provider: OidcProvider, now: Date): Promise<Configuration> {
  const known = discovered.get(provider);
  if (known !== undefined && known.until > now.getTime()) return known.configuration;
  const configuration = ask(provider);
  discovered.set(provider, { configuration, until: now.getTime() + DISCOVERED_MS });
  configuration.catch(() => discovered.delete(provider));
  return configuration;
}

async function ask(provider: OidcProvider): Promise<Configuration> {
  const isPlain = provider.issuer_url.startsWith('http:');
  try {
    return await discovery(
      new URL(provider.issuer_url),
      provider.client_id,
      { [clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientAuth(provider.client_secret?.reveal()),
      {
        timeout: PROVIDER_TIMEOUT_SECONDS,
        [customFetch]: providerFetch,
        // Signatures are checked although the token comes straight from the provider. Only an issuer that the settings name with http is asked without TLS.
        execute: [enableNonRepudiationChecks, ...(isPlain ? [allowInsecureRequests] : [])],
      },
    );
  } catch (error) {
    throw new SignOnRefusal('provider_unavailable', error);
  }
}

/** The secret in the form that the provider says it takes; in the header when it says nothing, as the standard has it. */
function clientAuth(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const takesBasic = methods === undefined || methods.includes('client_secret_basic');
    return (takesBasic ? basic : post)(server, client, body, headers);
  };
}

export interface AuthorizationRequest {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly challenge: string;
}

/** Where the browser goes to sign in. */
export async function oidcAddress(provider: OidcProvider, request: AuthorizationRequest, now: Date): Promise<string> {
  const configuration = await discover(provider, now);
  const scopes = provider.scopes.includes('openid') ? provider.scopes : ['openid', ...provider.scopes];
  return buildAuthorizationUrl(configuration, {
    ...provider.auth_url_params,
    response_type: 'code',
    redirect_uri: request.redirectUri,
    scope: scopes.join(' '),
    state: request.state,
    nonce: request.nonce,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
  }).href;
}

/** What the browser brought back, and the secrets that it was sent with. */
export interface AuthorizationAnswer {
  readonly callback: URL;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/**
 * Trades the code and verifies what comes for it: state, issuer of the answer, signature, issuer, audience, nonce and times of the ID
 * token, and that the userinfo answer is about the same person.
 */
export async function oidcPerson(provider: OidcProvider, answer: AuthorizationAnswer, now: Date): Promise<Person> {
  const configuration = await discover(provider, now);
  const asksUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined && !provider.ignore_user_info;
  try {
    const tokens = await authorizationCodeGrant(configuration, answer.callback, {
      expectedState: answer.state,
      expectedNonce: answer.nonce,
      pkceCodeVerifier: answer.verifier,
      idTokenExpected: true,
    });
    const idToken = tokens.claims();
    if (idToken === undefined) throw new SignOnRefusal('provider_answer_invalid');
    const userInfo: Claims = asksUserInfo ? await fetchUserInfo(configuration, tokens.access_token, idToken.sub) : {};
    const merged = storableClaims(mergeClaims(idToken, userInfo));
    return {
      issuer: idToken.iss,
      subject: idToken.sub,
      ...personOfClaims(provider, merged),
      claims: { idToken: storableClaims(idToken), userInfo: storableClaims(userInfo), merged },
      tokens: providerTokens(tokens, now),
    };
  } catch (error) {
    throw refusalOfPage(error) ?? refusalOfProvider(error);
  }
}

function storableClaims(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).map(([name, value]) => [String(storableJson(name)), storableJson(value)]));
}
