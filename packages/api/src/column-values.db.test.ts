import {
  API_KEY_LOGIN_TYPES,
  API_KEY_SCOPES,
  GROUP_SOURCES,
  LOGIN_TYPES,
  MONOTONIC_ORDERS,
  PARAMETER_TYPES,
  PORT_PROTOCOLS,
  PORT_SHARE_LEVELS,
  PROVISIONER_TYPES,
  PROXY_STATUSES,
  SAVED_SEARCH_PAGES,
  SHARE_ACCESSES,
  SHARING_LEVELS,
  TRANSITIONS,
  USER_STATUSES,
} from '@berth/domain';
import { createTestDatabase } from '@berth/db/testing';
import { expect, test } from 'vitest';

const { prisma } = await createTestDatabase();

/** Each column whose values the code takes as one of a list without parsing them: its comment there claims a check constraint. */
const COLUMNS: readonly (readonly [column: string, values: readonly string[]])[] = [
  ['api_keys.login_type', API_KEY_LOGIN_TYPES],
  ['api_keys.scope', API_KEY_SCOPES],
  ['groups.source', GROUP_SOURCES],
  ['provisioner_jobs.provisioner', PROVISIONER_TYPES],
  ['saved_searches.page', SAVED_SEARCH_PAGES],
  ['template_version_parameters.type', PARAMETER_TYPES],
  ['template_version_parameters.validation_monotonic', MONOTONIC_ORDERS],
  ['templates.max_port_share_level', SHARING_LEVELS],
  ['templates.provisioner', PROVISIONER_TYPES],
  ['users.login_type', LOGIN_TYPES],
  ['users.status', USER_STATUSES],
  ['workspace_builds.transition', TRANSITIONS],
  ['workspace_port_shares.protocol', PORT_PROTOCOLS],
  ['workspace_port_shares.share_level', PORT_SHARE_LEVELS],
  ['workspace_proxies.status', PROXY_STATUSES],
  ['workspace_shares.access', SHARE_ACCESSES],
];

test.each(COLUMNS)('%s can hold the values that the code expects, and no others', async (column, values) => {
  const [table, name] = column.split('.');
  const rows = await prisma.$queryRaw<{ definition: string }[]>`
    SELECT pg_get_constraintdef(c.oid) AS definition FROM pg_constraint c
    JOIN pg_attribute a ON a.attrelid = c.conrelid AND c.conkey = ARRAY[a.attnum]
    WHERE c.contype = 'c' AND c.conrelid = ${table}::regclass AND a.attname = ${name}`;
  const lists = rows.map(({ definition }) => [...definition.matchAll(/'([^']*)'::text/g)].map(([, value]) => value));
  expect(lists).toEqual([[...values]]);
});
