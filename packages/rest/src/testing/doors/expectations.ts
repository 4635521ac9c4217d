/**
 * What each visitor gets at each door: `open`, or how they are refused: a status before anything opens, 1008 where a socket is closed again.
 * One row per door, columns in the order of `VISITORS`. Reviewed by hand: a changed cell is a changed promise about who gets in.
 *
 * 401 nobody we know · 403 may see, may not enter · 404 may not even see · 400 names nothing
 *
 * The last three visitors are members with a share of the workspace and no right: of its apps, its terminals, the sight of one terminal.
 */
// oxfmt-ignore
export const DOOR_EXPECTATIONS: Readonly<Record<string, string>> = {
  //                                     anon.  susp.  stran. member holder audit. tmpl-a user-a org-a  app-t  read-t lim-t  owner  agent  prov.  a-gst  t-gst  viewer
  // Into the workspace: its owner and those of the deployment, by a credential that may; by a share only what the share is about.
  'terminal':                             '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    open   404',
  'the shared terminal, to type':         '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    open   404',
  'the shared terminal, to look on':      '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    open   open',
  'another terminal, to look on':         '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    open   404',
  'ssh':                                  '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    404    404',
  'ssh that outlives its carrier':        '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    404    404',
  'tcp port':                             '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    404    404',
  // That a port has a URL for everybody opens it by that URL only.
  'tcp port that is shared by URL':       '401    401    404    404    open   404    403    404    403    404    403    403    open   401    401    404    404    404',

  // For programs of ours; servers show each other nothing that anybody else could have. The provisioner’s key is of another organization.
  'agent tunnel':                         '401    401    401    401    401    401    401    401    401    401    401    401    401    open   401    401    401    401',
  'agent rpc':                            '401    401    401    401    401    401    401    401    401    401    401    401    401    open   401    401    401    401',
  'relay between servers':                '401    401    401    401    401    401    401    401    401    401    401    401    401    401    401    401    401    401',
  // For those who look after the deployment.
  'websocket echo':                       '401    401    404    404    404    404    404    404    404    404    open   404    open   401    401    404    404    404',
  'provisioner daemon':                   '401    401    404    403    403    404    open   404    open   404    403    404    open   401    403    403    403    403',

  // Who may read the thing.
  'build log':                            '401    401    1008   1008   open   1008   open   1008   open   1008   open   open   open   401    401    1008   1008   1008',
  'template version log':                 '401    401    1008   open   open   open   open   1008   open   1008   open   1008   open   401    401    open   open   open',
  'dry run log':                          '401    401    1008   1008   open   1008   open   1008   open   1008   open   open   open   401    401    1008   1008   1008',
  'agent log':                            '401    401    1008   1008   open   1008   open   1008   open   1008   open   open   open   401    401    1008   1008   1008',
  'build log as events':                  '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'watched workspace':                    '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'watched metadata':                     '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  // Anybody may connect; each call is asked about by itself.
  'rpc socket':                           'open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open',
  'subscription to a workspace':          '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'subscription to metadata':             '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'subscription to a build log':          '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'subscription to an agent log':         '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',
  'subscription as events':               '401    401    404    404    open   404    open   404    open   404    open   open   open   401    401    404    404    404',

  // Who may read an audit log; a list is empty where this is refused, since an empty file would be taken for the truth.
  'export of the audit log':              '401    401    403    403    403    open   403    403    open   403    open   403    open   401    401    403    403    403',

  // Below a path of the dashboard’s host an app is its owner’s alone, whatever its level, and what asked for a host is not there.
  'path app':                             '401    401    404    404    open   404    404    404    404    404    404    404    404    404    404    404    404    404',
  'path app socket':                      '401    401    404    404    open   404    404    404    404    404    404    404    404    404    404    404    404    404',
  'path app that is public':              '401    401    404    404    open   404    404    404    404    404    404    404    404    404    404    404    404    404',
  'path of an app with a host':           '401    401    404    404    404    404    404    404    404    404    404    404    404    404    404    404    404    404',

  // On a host of its own: who may connect to the workspace, whom the level lets in, and whom a share of apps lets in to apps, not to ports.
  // An agent’s token is no person’s, and a provisioner’s key is none there.
  'app host':                             '401    401    404    404    open   404    404    404    404    open   404    404    open   404    401    open   404    404',
  'app host socket':                      '401    401    404    404    open   404    404    404    404    open   404    404    open   404    401    open   404    404',
  'app host of a path app':               '401    401    404    404    open   404    404    404    404    open   404    404    open   404    401    open   404    404',
  'app host for the signed in':           '401    401    open   open   open   open   open   open   open   open   404    404    open   404    401    open   open   open',
  'app host socket for the signed in':    '401    401    open   open   open   open   open   open   open   open   404    404    open   404    401    open   open   open',
  'public app host':                      'open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open',
  'public app host socket':               'open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open',
  'port host':                            '401    401    404    404    open   404    404    404    404    open   404    404    open   404    401    404    404    404',
  'port host socket':                     '401    401    404    404    open   404    404    404    404    open   404    404    open   404    401    404    404    404',
  'port host for the signed in':          '401    401    open   open   open   open   open   open   open   open   404    404    open   404    401    open   open   open',
  'public port host':                     'open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open',
  'public port host socket':              'open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open   open',
  'app host without a workspace':         '400    400    400    400    400    400    400    400    400    400    400    400    400    400    400    400    400    400',
};

const API = '/api/v2';
const underBothRoots = (...paths: readonly string[]): string[] => paths.flatMap((path) => [path, `${API}${path}`]);

/**
 * Routes that are no operation of the router and no door: each asks and answers once, and has tests of its own, named here. Who adds one
 * says which; what stays open for longer, or leads into a workspace, is a door.
 */
export const PLAIN_ROUTES: readonly string[] = [
  // security/scopes, raw/files
  `${API}/files`,
  `${API}/files/:fileID`,
  // raw/oauth2
  ...underBothRoots(
    '/.well-known/oauth-authorization-server',
    '/oauth2/authorize',
    '/oauth2/device',
    '/oauth2/introspect',
    '/oauth2/revoke',
  ),
  '/oauth2/grants',
  '/oauth2/tokens',
  // raw/scim-door
  ...underBothRoots('/scim/v2', '/scim/v2/*', '/scim/v2/ServiceProviderConfig'),
  ...['Users', 'Groups', 'ResourceTypes', 'Schemas'].flatMap((name) => underBothRoots(`/scim/v2/${name}`, `/scim/v2/${name}/:id`)),
  // raw/sign-on, raw/external-auth, raw/apps/app-sign-in
  `${API}/users/oauth2/codehost/callback`,
  `${API}/users/oidc/callback`,
  ...underBothRoots('/external-auth/:externalauth/callback'),
  `${API}/applications/auth-redirect`,
  // raw/removed
  `${API}/templateversions/:templateversion/parameters`,
  `${API}/templateversions/:templateversion/schema`,
  `${API}/workspaceagents/:workspaceagent/startup-logs`,
  `${API}/workspaceagents/me/gitauth`,
  `${API}/workspacebuilds/:workspacebuild/resources`,
  // Public facts: openapi/document, rest
  `${API}/docs`,
  `${API}/docs/start.js`,
  `${API}/docs/swagger-ui-bundle.js`,
  `${API}/docs/swagger-ui.css`,
  `${API}/openapi.json`,
  '/healthz',
  '/livez',
];
