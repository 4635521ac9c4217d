export { guardAppHosts, mountPathApps, routeToApps } from './mount.ts';
export type { AppServer } from './serve.ts';
export { createAppServer } from './serve.ts';
export { mountAppSignIn } from './sign-in.ts';
