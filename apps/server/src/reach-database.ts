import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runningEmbeddedUrl, startEmbeddedPostgres } from '@berth/db/embedded';
import { ConfigError, readDatabasePlace } from './config.ts';

/**
 * The database of a running server, of the settings, or of a stopped server, which is then started until `stop`: for tools beside the
 * server. Creates nothing. @throws ConfigError when there is no database.
 */
export async function reachDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { databaseUrl, dataDir } = readDatabasePlace();
  const running = databaseUrl ?? (await runningEmbeddedUrl(dataDir));
  if (running !== undefined) return { url: running, stop: () => Promise.resolve() };
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new ConfigError(`There is no database in ${dataDir}. Set BERTH_DATA_DIR or BERTH_DATABASE_URL as for the server.`);
  }
  const postgres = await startEmbeddedPostgres({ dataDir });
  return { url: postgres.url, stop: () => postgres.stop() };
}
