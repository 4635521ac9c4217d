export { BUILTIN_KEY_ID, readDaemons } from './read-daemons.ts';
export { ServeQuery, USER_AUTH_KEY_ID, daemonPrincipal, requireDaemonCredential } from './serve.ts';
