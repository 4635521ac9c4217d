import type { UserCall } from '../kernel/procedures.ts';
import type { AppHost } from './contract.ts';

/** The domain whose names are apps, with its star and its port; empty where apps have only paths. */
export function appHost({ services }: Pick<UserCall, 'services'>): AppHost {
  const { wildcardHost } = services.settings;
  return { host: wildcardHost === null ? '' : `${wildcardHost.pattern}${wildcardHost.port}` };
}
