import type { Client } from '@berth/client';

import type { Cli } from '../frame/cli.ts';
import { rest } from '../frame/declare.ts';
import { patiently } from '../frame/patiently.ts';

/** A row as it arrives. */
export type AuditEntry = Awaited<ReturnType<Client['audit']['page']['query']>>['audit_logs'][number];

/** Rows of one request; the server's bound. */
const PAGE = 100;

export const FILTER_ARGUMENT = {
  filter: rest('Filters such as action:delete, username:ada, resource_type:workspace, date_from:2026-11-01; all must match'),
};

/** All rows that match, newest first, page by page. New rows that come meanwhile shift nothing. */
export async function* auditEntries(cli: Cli, filter: readonly string[]): AsyncGenerator<AuditEntry, void, void> {
  const q = filter.join(' ');
  let before: string | undefined;
  do {
    const page = await patiently(
      () => cli.session().client.audit.page.query({ q, limit: PAGE, ...(before === undefined ? {} : { before }) }),
      cli,
    );
    yield* page.audit_logs;
    before = page.next ?? undefined;
  } while (before !== undefined);
}

/** The sentence of a row with the names in it. */
export function sentenceOf({ description, user, resource_target: target }: AuditEntry): string {
  return description.replaceAll('{user}', () => user?.username ?? 'somebody').replaceAll('{target}', () => target);
}
