import type { AppPlace } from '@berth/domain';
import { subdomainName } from '@berth/domain';
import type { Settings } from '../kernel/context.ts';

/** Stands for any port while the host is made, since a brace is in no host. */
const PORT = '8080';

/** Where browsers reach ports of an agent, with `{{port}}` in it; empty without a domain of apps, or when the names are too long for a host. */
export function portUrl({ accessUrl, wildcardHost }: Pick<Settings, 'accessUrl' | 'wildcardHost'>, place: AppPlace): string {
  const name = subdomainName(PORT, place);
  if (wildcardHost === null || name === '') return '';
  return `${new URL(accessUrl).protocol}//{{port}}${name.slice(PORT.length)}${wildcardHost.suffix}${wildcardHost.port}`;
}
