import pg from 'pg';
import { DatabaseStartError } from './start-error.ts';

/**
 * What every session sets, whatever the server, the database or the role has as its default. The Prisma adapter sends timestamps as UTC
 * without an offset and reads them the same way, so in another time zone everything that it writes is wrong. The rest keeps values in the
 * formats that the driver parses, and transactions at the isolation level that the statements are written for.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
};

const SET = Object.entries(SETTINGS)
  .map(([name, value]) => `SET ${name} = ${pg.escapeLiteral(value)}`)
  .join('; ');
const SHOW = `SELECT ${Object.keys(SETTINGS)
  .map((name) => `current_setting('${name}') AS "${name}"`)
  .join(', ')}`;

/**
 * Opens a connection whose session has the settings that Berth needs. Every connection comes from here or from `createPool`: nothing
 * else in the repository may open one (scripts/check-walls.mjs). A connection that is lost later does not end the process.
 */
export async function openClient(config: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  try {
    await client.connect();
    await prepareSession(client);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

/** A pool of such connections. `parameters` are further settings of each session. */
export function createPool(config: pg.PoolConfig, parameters: Readonly<Record<string, string>> = {}): pg.Pool {
  const more = Object.entries(parameters).map(([name, value]) => `SET ${name} = ${pg.escapeLiteral(value)}`);
  return new pg.Pool({
    ...config,
    onConnect: async (client) => {
      await prepareSession(client);
      if (more.length > 0) await client.query(more.join('; '));
    },
  });
}

/**
 * By statements, since poolers such as PgBouncer drop or refuse settings in the connection's start; then asks whether the session
 * kept them, since some poolers drop statements like these, too.
 */
async function prepareSession(client: pg.ClientBase): Promise<void> {
  await client.query(SET);
  const { rows } = await client.query<Record<string, string>>(SHOW);
  const wrong = Object.entries(SETTINGS).filter(([name, value]) => rows[0]?.[name] !== value);
  if (wrong.length === 0) return;
  const differences = wrong.map(([name, value]) => `${name} is "${rows[0]?.[name] ?? ''}" instead of "${value}"`).join(', ');
  throw new DatabaseStartError(
    `The database does not keep the session settings of Berth: ${differences}. ` +
      'Connect to PostgreSQL directly, or through a pooler in session mode (pool_mode = session in PgBouncer).',
  );
}

/** A server that accepts connections and says nothing would otherwise be waited for without end. */
const FIRST_CONNECT_TIMEOUT_MS = 10_000;

/** The same for a program that just started. @throws DatabaseStartError that says where no database was reached, without the password. */
export async function openFirstClient(
  connectionString: string,
  applicationName: string,
  connectionTimeoutMillis = FIRST_CONNECT_TIMEOUT_MS,
): Promise<pg.Client> {
  try {
    return await openClient({ connectionString, application_name: applicationName, connectionTimeoutMillis });
  } catch (error) {
    if (error instanceof DatabaseStartError) throw error;
    const { database, host, port } = new pg.Client({ connectionString });
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error);
    throw new DatabaseStartError(
      `The database ${database ?? ''} on ${host}:${port} cannot be reached: ${reason}. Check BERTH_DATABASE_URL and that PostgreSQL runs.`,
      { cause: error },
    );
  }
}
