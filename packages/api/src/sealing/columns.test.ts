import { readFileSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SEALED_COLUMNS, sealedContext } from './columns.ts';

const folder = new URL('../../../../prisma/schema/', import.meta.url);

/** The columns named `sealed_…` of every table, as the Prisma schema has them. */
function sealedInSchema(): Record<string, string[]> {
  const schema = readdirSync(folder)
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('\n');
  const found: Record<string, string[]> = {};
  for (const [, body = ''] of schema.matchAll(/^model \w+ \{\n(.*?)^\}/gms)) {
    const columns = [...body.matchAll(/ Bytes\??\s+@map\("(sealed_\w+)"\)/g)].map(([, name = '']) => name);
    if (columns.length > 0) found[/@@map\("(\w+)"\)/.exec(body)?.[1] ?? '?'] = columns.toSorted();
  }
  return found;
}

it('security: secrets are encrypted with a rotating key: the rotation knows every sealed column of the schema, and no other', () => {
  const listed = Object.fromEntries(Object.entries(SEALED_COLUMNS).map(([table, { columns }]) => [table, [...columns].toSorted()]));
  expect(sealedInSchema()).toEqual(listed);
});

it('names a place by its table, column and primary key', () => {
  expect(sealedContext('external_auth_links', 'sealed_access_token', ['u', 'p'])).toBe('external_auth_links.sealed_access_token:u:p');
  expect(sealedContext('git_ssh_keys', 'sealed_private_key', ['u'])).toBe('git_ssh_keys.sealed_private_key:u');
});
