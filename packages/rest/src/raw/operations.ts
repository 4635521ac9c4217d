import type { ErrorKind } from '@berth/core';
import { debugSocketOperation } from './debug-socket.ts';
import { oauth2Operations } from './oauth2-operations.ts';
import { removedOperations } from './removed.ts';
import { scimOperations } from './scim-operations.ts';

/** The facts of a route that is not JSON in, JSON out; it stands in the published document beside the procedures. */
export interface RawOperation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Under `/api/v2`. */
  readonly path: string;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters: readonly object[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, object>>;
  readonly errors: readonly ErrorKind[];
  /** The credentials it takes; an API key unless given. */
  readonly security?: readonly Record<string, string[]>[];
}

const uuidSchema = { type: 'string', format: 'uuid' };
const pathId = (name: string): object => ({ in: 'path', name, required: true, schema: uuidSchema });
const query = (name: string, schema: object, description: string): object => ({ in: 'query', name, schema, description });
const bytes = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };
/** How both connections into a workspace end. */
const BYTES_END =
  'An empty message ends one direction; code 1000 closes both, 1008 says that the caller may not be here any more, 1011 that the connection broke.';
const SOCKET = { '101': { description: 'Switching to WebSocket.' } };

function signOnOperation(path: string, id: string, summary: string): RawOperation {
  return {
    method: 'get',
    path,
    id,
    tag: 'Users',
    summary,
    description:
      'For browsers. Without `code` or `error` it begins and leads to the provider; with one it is what the provider leads back to, and opens a session. What goes wrong leads to `/login?error=<code>`.',
    parameters: [
      query('provider', { type: 'string', maxLength: 64 }, 'Begins: a configured provider; the first one of its kind when absent.'),
      query('redirect', { type: 'string', maxLength: 2000 }, 'Begins: where to go afterwards, a path of this server.'),
      query('oidc_merge_state', { type: 'string', maxLength: 2000 }, 'Begins: the `state_string` of convert-login.'),
      query('code', { type: 'string' }, 'The provider’s answer.'),
      query('error', { type: 'string' }, 'The provider’s refusal.'),
      query('state', { type: 'string', maxLength: 512 }, 'What this server sent along.'),
    ],
    responses: { '307': { description: 'To the provider, to the page that was asked for, or to the sign-in page.' } },
    errors: ['invalid', 'rate_limited'],
    security: [],
  };
}

/** Every raw route under `/api/v2`. */
export const rawOperations: readonly RawOperation[] = [
  signOnOperation('/users/oidc/callback', 'openid-connect-callback', 'Sign in by OpenID Connect'),
  signOnOperation('/users/oauth2/codehost/callback', 'oauth-20-codehost-callback', 'Sign in by a code host'),
  {
    method: 'post',
    path: '/files',
    id: 'upload-file',
    tag: 'Files',
    summary: 'Upload an archive',
    description:
      'The body is the archive itself, or a form whose field `file` holds it; at most 100 MiB. A zip is stored as tar. The same archive of the same user is stored once.',
    parameters: [],
    requestBody: {
      required: true,
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: ['file'], properties: { file: { contentMediaType: 'application/octet-stream' } } },
        },
        'application/x-tar': bytes,
        'application/zip': bytes,
      },
    },
    responses: {
      '200': {
        description: 'This archive was uploaded before.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/UploadResponse' } } },
      },
      '201': { description: 'Stored.', content: { 'application/json': { schema: { $ref: '#/components/schemas/UploadResponse' } } } },
    },
    errors: ['invalid', 'unauthenticated', 'forbidden', 'too_large', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/files/{fileID}',
    id: 'get-file-by-id',
    tag: 'Files',
    summary: 'Download an archive',
    parameters: [pathId('fileID'), query('format', { type: 'string', enum: ['zip'] }, 'Convert the tar to zip.')],
    responses: { '200': { description: 'The archive.', content: { 'application/x-tar': bytes, 'application/zip': bytes } } },
    errors: ['invalid', 'unauthenticated', 'not_found', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/audit/export',
    id: 'export-audit-logs',
    tag: 'Audit',
    summary: 'Export the audit log',
    description:
      "Every row that a search of the list finds, newest first, of one instant, as lines of JSON or as CSV. Streams; an answer that breaks off is not whole. CSV holds no formulas: a cell that a spreadsheet would run begins with `'`. Each export is itself recorded, before its first byte, as is one that is refused or broken off. A server makes a few at a time and answers 429 beyond that.",
    parameters: [
      query('q', { type: 'string', maxLength: 1000 }, 'As for the list.'),
      query('format', { type: 'string', enum: ['ndjson', 'csv'], default: 'ndjson' }, 'How to write it.'),
    ],
    responses: {
      '200': {
        description: 'The rows.',
        headers: {
          'Content-Disposition': { schema: { type: 'string' }, description: 'A file name with the time of the export.' },
          'X-Total-Count': { schema: { type: 'integer' }, description: 'How many rows follow.' },
        },
        content: {
          'application/x-ndjson': { schema: { type: 'string' } },
          'text/csv': { schema: { type: 'string' } },
        },
      },
    },
    errors: ['invalid', 'unauthenticated', 'forbidden', 'rate_limited', 'unavailable'],
  },
  {
    method: 'get',
    path: '/workspaces/{workspace}/watch',
    id: 'watch-workspace-by-id',
    tag: 'Workspaces',
    summary: 'Watch a workspace',
    description:
      'Server-sent events: `data` carries a whole Workspace at once and on each change, `ping` keeps the line open, `error` ends it. Each state has an id; who comes back with it hears of the next one.',
    parameters: [
      pathId('workspace'),
      { in: 'header', name: 'Last-Event-ID', schema: { type: 'string' }, description: 'The id of the state that the client has.' },
    ],
    responses: { '200': { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
    errors: ['invalid', 'unauthenticated', 'not_found', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/workspaceagents/{workspaceagent}/watch-metadata',
    id: 'watch-for-workspace-agent-metadata-updates',
    tag: 'Agents',
    summary: 'Watch an agent’s metadata',
    description: 'Server-sent events: `data` carries all keys, at once, on change (at most once a second) and at least every five seconds.',
    parameters: [pathId('workspaceagent')],
    responses: { '200': { description: 'Events.', content: { 'text/event-stream': { schema: { type: 'string' } } } } },
    errors: ['invalid', 'unauthenticated', 'not_found', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/workspaceagents/me/rpc',
    id: 'workspace-agent-rpc-api',
    tag: 'Agents',
    summary: 'Connect as an agent',
    description:
      'WebSocket on which an agent calls the procedures `agentApi.*` as tRPC has them. Takes the token of an agent whose build is the latest of its workspace.',
    parameters: [
      query(
        'version',
        { type: 'string', pattern: '^\\d+\\.\\d+$', maxLength: 13 },
        'Of the protocol: `1.0`, which is also meant when absent.',
      ),
    ],
    responses: SOCKET,
    errors: ['invalid', 'unauthenticated', 'forbidden', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/workspaceagents/{workspaceagent}/pty',
    id: 'open-pty-to-workspace-agent',
    tag: 'Agents',
    summary: 'Open a terminal',
    description:
      'WebSocket, binary: in, JSON objects `{"data": "…"}` and `{"width": 120, "height": 40}`; out, the terminal’s raw bytes. The same `reconnect` id finds the same shell again, with its scroll-back. With `view` what is typed goes nowhere. When the shell ends, the reason of the close frame (code 1000) is JSON: `{"message": "The shell exited with code 2.", "exit_code": 2, "signal": null}`; code 1008 says that the caller may not be here any more. Open to who may enter the workspace, and to whom a terminal of it is shared; it runs as the workspace’s user in any case.',
    parameters: [
      pathId('workspaceagent'),
      { in: 'query', name: 'reconnect', required: true, schema: uuidSchema, description: 'Chosen by the client; names the shell.' },
      query('width', { type: 'integer', minimum: 1, maximum: 1000, default: 80 }, 'Columns.'),
      query('height', { type: 'integer', minimum: 1, maximum: 1000, default: 80 }, 'Rows.'),
      query('command', { type: 'string', maxLength: 4096 }, 'Run by the login shell instead of an interactive one.'),
      query('view', { type: 'boolean', default: false }, 'Only looks on at a shell that is there.'),
    ],
    responses: SOCKET,
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'unavailable', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/workspaceagents/{workspaceagent}/ssh',
    id: 'connect-to-ssh-of-workspace-agent',
    tag: 'Agents',
    summary: 'Connect to the SSH server of a workspace',
    description: `WebSocket of binary messages: the bytes of one SSH connection. ${BYTES_END} With \`stream\` the bytes are those of a resumable stream between the client and the agent, which goes on after a lost connection for whoever dials again with the same id as the same user.`,
    parameters: [pathId('workspaceagent'), query('stream', uuidSchema, 'Chosen by the client; names a connection that can be resumed.')],
    responses: SOCKET,
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'unavailable', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/workspaceagents/{workspaceagent}/tcp',
    id: 'connect-to-port-of-workspace-agent',
    tag: 'Agents',
    summary: 'Connect to a port of a workspace',
    description: `WebSocket of binary messages: the bytes of one TCP connection to that port of the workspace’s loopback. ${BYTES_END}`,
    parameters: [
      pathId('workspaceagent'),
      { in: 'query', name: 'port', required: true, schema: { type: 'integer', minimum: 1, maximum: 65_535 }, description: 'The port.' },
    ],
    responses: SOCKET,
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'unavailable', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/external-auth/{externalauth}/callback',
    id: 'external-auth-callback',
    tag: 'Git',
    summary: 'Link an account in the browser',
    description:
      'Without an answer of the service, leads there to consent; with one, keeps the link and leads on to `redirect`, a path of this server. The same path at the root of the server is the address to register at the service. Browsers are led to the sign-in page instead of 401, and told other refusals on the dashboard’s page of the service.',
    parameters: [
      { in: 'path', name: 'externalauth', required: true, schema: { type: 'string', maxLength: 64 } },
      query('redirect', { type: 'string', maxLength: 2000 }, 'Where to go on afterwards: a path of this server.'),
      query('code', { type: 'string', maxLength: 4096 }, 'What the service grants.'),
      query('state', { type: 'string', maxLength: 4096 }, 'What this server sent along.'),
      query('error', { type: 'string', maxLength: 4096 }, 'Why the service refuses.'),
    ],
    responses: {
      '303': { description: 'To the sign-in page, or to the dashboard’s page of the service.' },
      '307': { description: 'To the service, or on to `redirect`.' },
    },
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'unavailable', 'rate_limited'],
  },
  {
    method: 'get',
    path: '/applications/auth-redirect',
    id: 'redirect-to-uri-with-encrypted-api-key',
    tag: 'Applications',
    summary: 'Sign in to an app’s host',
    description:
      'For browsers, which the host of an app sends here. Leads back with a key for apps, encrypted for that host and for a minute; it ends with the session. Who is not signed in is led to the sign-in page first.',
    parameters: [
      query('redirect_uri', { type: 'string', maxLength: 8192 }, 'An address on the host of an app.'),
      query('state', { type: 'string', maxLength: 128 }, 'What the app’s host sent along, to know its own browser again.'),
    ],
    responses: { '303': { description: 'To the sign-in page.' }, '307': { description: 'Back to the app’s host.' } },
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'rate_limited'],
  },
  debugSocketOperation,
  ...removedOperations,
  {
    method: 'get',
    path: '/organizations/{organization}/provisionerdaemons/serve',
    id: 'serve-provisioner-daemon',
    tag: 'Enterprise',
    summary: 'Serve a provisioner daemon',
    description:
      'WebSocket for daemons, with the header `Service-Provisioner-Key` or an API key. It carries the typed calls of `provisionerApi`, as `/api/rpc` does. With a key the daemon has the key’s tags; with an API key those of the query: `scope=user` for the caller’s own jobs, else the caller must be allowed to create daemons.',
    parameters: [
      {
        in: 'path',
        name: 'organization',
        required: true,
        schema: { type: 'string', minLength: 1, maxLength: 64 },
        description: 'An organization id or name; `default` and the zero UUID mean the default one.',
      },
      query(
        'provisioner',
        { type: 'array', items: { type: 'string', enum: ['process', 'container', 'terraform'] } },
        'Required: the drivers that the daemon has.',
      ),
      query('tag', { type: 'array', items: { type: 'string', maxLength: 512 } }, '`key=value`; not together with a provisioner key.'),
      query('name', { type: 'string', maxLength: 64 }, 'The name under which the daemon will register.'),
      query('version', { type: 'string', maxLength: 16, default: '1.0' }, 'Of the protocol.'),
    ],
    responses: SOCKET,
    errors: ['invalid', 'unauthenticated', 'forbidden', 'not_found', 'rate_limited'],
    security: [{ session: [] }, { provisioner: [] }],
  },
  ...scimOperations,
  ...oauth2Operations,
];
