/**
 * Every column that holds a sealed value, with the primary key of its table. The one list: it names the contexts that values are sealed
 * for, and it is what the rotation of sealing keys walks. A test holds it equal to the Prisma schema.
 */
export const SEALED_COLUMNS = {
  user_identities: { key: [['id', 'uuid']], columns: ['sealed_access_token', 'sealed_refresh_token'] },
  git_ssh_keys: { key: [['user_id', 'uuid']], columns: ['sealed_private_key'] },
  external_auth_links: {
    key: [
      ['user_id', 'uuid'],
      ['provider_id', 'text'],
    ],
    columns: ['sealed_access_token', 'sealed_refresh_token', 'sealed_token_extra'],
  },
  provisioner_jobs: { key: [['id', 'uuid']], columns: ['sealed_input'] },
  template_version_variables: {
    key: [
      ['template_version_id', 'uuid'],
      ['name', 'text'],
    ],
    columns: ['sealed_value'],
  },
} as const;

type SealedTable = keyof typeof SEALED_COLUMNS;
type SealedColumn<T extends SealedTable> = (typeof SEALED_COLUMNS)[T]['columns'][number];

/** The values of a table's primary key, in the order of `SEALED_COLUMNS`. */
type SealedKey<T extends SealedTable> = (typeof SEALED_COLUMNS)[T]['key'] extends readonly [unknown, unknown]
  ? readonly [string, string]
  : readonly [string];

/**
 * The context to seal and to open a column's value with: `table.column:<primary key>`, so that a value copied to another row or column
 * does not open there. Example: `sealedContext('user_identities', 'sealed_access_token', [identity.id])`.
 */
export function sealedContext<T extends SealedTable>(table: T, column: SealedColumn<T>, key: SealedKey<T>): string {
  return contextOf(table, column, key);
}

/** The same for names that are only known while the program runs. */
export function contextOf(table: string, column: string, key: readonly string[]): string {
  return [`${table}.${column}`, ...key].join(':');
}
