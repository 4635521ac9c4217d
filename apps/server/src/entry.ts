import { SealingKeyError } from '@berth/api/server';
import { DatabaseStartError } from '@berth/db';
import { UsageError, readArguments } from './arguments.ts';
import { startServer } from './compose.ts';
import { ConfigError, readConfig } from './config.ts';
import { createLogger } from './log.ts';

const HELP = `Usage: npm start [-- --help]

Starts the server of this repository, until Ctrl-C. Its settings are BERTH_* variables: see docs/configuration.md.
`;

/** Beyond this a part hangs, and waiting longer helps nobody. */
const STOP_TIMEOUT_MS = 30_000;

function fail(message: string): never {
  process.stderr.write(`\nBerth cannot start.\n${message}\n`);
  process.exit(1);
}

function announce(url: string, isFresh: boolean): void {
  const next = isFresh ? 'Open it in a browser to create the first account.' : 'Open it in a browser to sign in.';
  process.stdout.write(
    `\n  Berth is ready:  ${url}\n  ${next}\n  The API explorer is at ${url}/api/v2/docs\n  Ctrl-C stops it; workspaces go on running.\n\n`,
  );
}

async function main(): Promise<void> {
  if (readArguments({ help: HELP }) === null) return;
  const config = readConfig();
  const logger = createLogger(config.logLevel, { isInteractive: process.stdout.isTTY });
  for (const warning of config.warnings) logger.warn({}, warning);
  let isStopping = false;
  const stop = (code: number): void => {
    if (isStopping) {
      if (code === 0) process.exit(130);
      return;
    }
    isStopping = true;
    process.stdout.write('Stopping … (Ctrl-C again to stop at once)\n');
    setTimeout(() => process.exit(code === 0 ? 1 : code), STOP_TIMEOUT_MS).unref();
    void starting.then((server) => server?.stop()).finally(() => process.exit(code));
  };
  process.on('SIGINT', () => stop(0));
  process.on('SIGTERM', () => stop(0));
  process.on('SIGHUP', () => stop(0));
  // A closed terminal must not keep the rest from stopping cleanly.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  const starting = startServer(config, logger, (reason) => {
    logger.error({ reason }, 'PostgreSQL ended unexpectedly');
    stop(1);
  }).catch((error: unknown) => {
    if (isStopping) return null;
    throw error;
  });
  const server = await starting;
  if (server !== null && !isStopping) announce(server.url, server.isFresh);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
  if (error instanceof ConfigError || error instanceof DatabaseStartError || error instanceof SealingKeyError) fail(error.message);
  fail(error instanceof Error ? (error.stack ?? error.message) : String(error));
});
