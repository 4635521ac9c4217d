export { guardAppHosts, mountPathApps, routeToApps } from './mount.ts';
export { createAppServer } from './serve.ts';
export { mountAppSignIn } from './sign-in.ts';
