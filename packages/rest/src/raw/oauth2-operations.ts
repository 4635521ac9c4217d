import type { RawOperation } from './operations.ts';

const text = { type: 'string', maxLength: 4096 };
const ref = (name: string): object => ({ $ref: `#/components/schemas/${name}` });
const json = (description: string, schema: object): object => ({ description, content: { 'application/json': { schema } } });
const REFUSALS = {
  '400': json('A refusal of RFC 6749 section 5.2.', ref('OAuth2Error')),
  '401': json('The client is not known, or its secret is wrong.', ref('OAuth2Error')),
  '413': json('Larger than 64 KiB.', ref('OAuth2Error')),
  '429': json('Too many requests; `Retry-After` says when to come back.', ref('OAuth2Error')),
};
const parameter = (name: string, description: string, schema: object = text): object => ({ in: 'query', name, description, schema });
const required = (name: string, description: string, schema: object = text): object => ({
  ...parameter(name, description, schema),
  required: true,
});

function form(properties: Readonly<Record<string, object>>, needed: readonly string[]): object {
  const schema = {
    type: 'object',
    required: needed,
    properties: {
      client_id: { ...text, description: 'Or in `Authorization: Basic`, with the secret.' },
      client_secret: text,
      ...properties,
    },
  };
  return { required: true, content: { 'application/x-www-form-urlencoded': { schema } } };
}

const tokenForm = form(
  { token: { ...text, description: 'An access or refresh token.' }, token_type_hint: { ...text, description: 'Not needed.' } },
  ['token'],
);

/** The OAuth2 provider. Each path answers at the root of the server, too. */
export const oauth2Operations: readonly RawOperation[] = [
  {
    method: 'post',
    path: '/oauth2/authorize',
    id: 'oauth2-authorization-request',
    tag: 'Enterprise',
    summary: 'Approve an authorization request',
    description:
      'Redirects to the application with a code. A GET leads a browser to the page that asks the person. The parameters may come as a form, too.',
    parameters: [
      required('client_id', 'The id of the application.', { type: 'string', format: 'uuid' }),
      required('state', 'Comes back unchanged. May be left out with a `code_challenge`.'),
      required('response_type', '`code`.', { type: 'string', enum: ['code'] }),
      parameter('redirect_uri', 'The callback URL of the application, character by character; that one when absent.'),
      parameter(
        'scope',
        'Names with spaces between: `all`, `read_only` (when absent), `application_connect`, or permissions `resource:action`.',
      ),
      parameter('code_challenge', 'PKCE; public clients must send it.'),
      parameter('code_challenge_method', '`S256`.', { type: 'string', enum: ['S256'] }),
    ],
    responses: { '302': { description: 'To the application, with `code`, `state` and `iss`, or with `error`.' } },
    errors: ['invalid', 'unauthenticated', 'forbidden', 'too_large', 'rate_limited'],
  },
  {
    method: 'post',
    path: '/oauth2/tokens',
    id: 'oauth2-token-exchange',
    tag: 'Enterprise',
    summary: 'Exchange a code, refresh token or device code for an access token',
    description:
      'RFC 6749, 7636 and 8628. The access token is an API key of an hour: send it as `Authorization: Bearer` or in `Service-Session-Token`. A refresh token works once; a second use ends everything that came of its grant.',
    parameters: [],
    requestBody: form(
      {
        grant_type: {
          type: 'string',
          enum: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
        },
        code: text,
        redirect_uri: text,
        code_verifier: text,
        refresh_token: text,
        device_code: text,
        scope: { ...text, description: 'With a refresh token: less than was given.' },
      },
      ['grant_type'],
    ),
    responses: { '200': json('The tokens.', ref('OAuth2Token')), ...REFUSALS },
    errors: [],
    security: [],
  },
  {
    method: 'post',
    path: '/oauth2/device',
    id: 'oauth2-device-authorization',
    tag: 'Enterprise',
    summary: 'Begin the authorization of a device',
    parameters: [],
    requestBody: form({ scope: text }, []),
    responses: { '200': json('What the device shows, and polls with.', ref('OAuth2DeviceAuthorization')), ...REFUSALS },
    errors: [],
    security: [],
  },
  {
    method: 'post',
    path: '/oauth2/revoke',
    id: 'oauth2-token-revocation',
    tag: 'Enterprise',
    summary: 'Give tokens back',
    description: 'RFC 7009. By its access or refresh token the whole grant ends. What is not a token of the client is as good as ended.',
    parameters: [],
    requestBody: tokenForm,
    responses: { '200': json('Ended.', { type: 'object' }), ...REFUSALS },
    errors: [],
    security: [],
  },
  {
    method: 'post',
    path: '/oauth2/introspect',
    id: 'oauth2-token-introspection',
    tag: 'Enterprise',
    summary: 'Ask about a token',
    description: 'RFC 7662, for clients with a secret and about their own tokens only.',
    parameters: [],
    requestBody: tokenForm,
    responses: { '200': json('What the token is.', ref('OAuth2Introspection')), ...REFUSALS },
    errors: [],
    security: [],
  },
  {
    method: 'get',
    path: '/.well-known/oauth-authorization-server',
    id: 'oauth2-provider-metadata',
    tag: 'Enterprise',
    summary: 'Get the metadata of the OAuth2 provider',
    description: 'RFC 8414.',
    parameters: [],
    responses: { '200': json('The metadata.', { type: 'object', additionalProperties: true }) },
    errors: ['invalid', 'rate_limited'],
    security: [],
  },
];
