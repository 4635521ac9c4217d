import { lazyRouteComponent } from '@tanstack/react-router';
import { whenReachable } from '../api/reachability.ts';

/**
 * A page that is loaded when it is first opened. While the server cannot be reached, loading is tried again until it can; a file that is
 * gone because of an update makes the router load the whole document again.
 */
export const lazyPage: typeof lazyRouteComponent = (load, exportName) => lazyRouteComponent(() => whenReachable(load), exportName);
