import type { AppRow } from './app-rows.ts';

/** What the audit log tracks of an OAuth2 application. Of its secrets it tracks no field at all. */
export function auditedApp(row: AppRow): Readonly<Record<string, unknown>> {
  return { name: row.name, icon: row.icon, callback_url: row.callbackUrl, client_type: row.clientType };
}
