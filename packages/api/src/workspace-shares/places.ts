import { subdomainName } from '@berth/domain';
import type { Settings } from '../kernel/context.ts';

type Places = Pick<Settings, 'accessUrl' | 'wildcardHost' | 'pathApps'>;

interface App {
  readonly external: boolean;
  readonly subdomain: boolean;
}

/** Whether others than its owner can open any app at all: on a domain of its own, or below a path where the settings allow that. */
export function opensApps({ wildcardHost, pathApps }: Places): boolean {
  return wildcardHost !== null || (pathApps.isEnabled && pathApps.allowsSharing);
}

/** The same of one app. What asked for a domain of its own has no path; what has a path has a domain, too, where there are any. */
export function opensApp(settings: Places, { external, subdomain }: App): boolean {
  return !external && opensApps(settings) && (settings.wildcardHost !== null || !subdomain);
}

interface AppName {
  readonly slug: string;
  readonly agent: string;
  readonly workspace: string;
  readonly owner: string;
}

/** Where an app that others can open is for them; null where its names do not fit into a host. */
export function placeOf({ accessUrl, wildcardHost }: Places, { slug, ...place }: AppName): { subdomain_name: string; url: string } | null {
  if (wildcardHost === null) {
    const path = `/@${place.owner}/${place.workspace}.${place.agent}/apps/${slug}/`;
    return { subdomain_name: '', url: `${accessUrl}${path}` };
  }
  const name = subdomainName(slug, place);
  if (name === '') return null;
  return { subdomain_name: name, url: `${new URL(accessUrl).protocol}//${name}${wildcardHost.suffix}${wildcardHost.port}/` };
}
