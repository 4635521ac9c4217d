import type { Settings } from '../kernel/context.ts';
import type { AppRow } from './app-rows.ts';
import type { OAuth2ProviderApp } from './contract.ts';

export function presentApp(row: AppRow, { accessUrl }: Settings): OAuth2ProviderApp {
  return {
    id: row.id,
    name: row.name,
    callback_url: row.callbackUrl,
    icon: row.icon,
    client_type: row.clientType === 'public' ? 'public' : 'confidential',
    endpoints: {
      authorization: `${accessUrl}/oauth2/authorize`,
      token: `${accessUrl}/oauth2/tokens`,
      device_authorization: `${accessUrl}/oauth2/device`,
    },
  };
}
