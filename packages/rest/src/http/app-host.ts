import type { Settings } from '@berth/api/server';
import { isAppHost } from '@berth/api/server';

/**
 * Whether a host belongs to the apps of workspaces. What comes for one is for an app and nothing else: it reaches no page, no API and no
 * stream of ours, and pages from there are strangers to us.
 */
export function isHostOfApps(host: string, { wildcardHost, accessUrl }: Pick<Settings, 'wildcardHost' | 'accessUrl'>): boolean {
  if (wildcardHost === null || !isAppHost(host, wildcardHost)) return false;
  // The dashboard may itself lie under the domain of apps.
  return hostName(host) !== new URL(accessUrl).hostname;
}

/** The name in a Host header: in lower case, without port and final dot. */
export function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}
