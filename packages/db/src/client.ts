import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { type Prisma, PrismaClient } from './generated/client.ts';
import { createPool } from './session.ts';
import { createStatementNames } from './statement-names.ts';

/** What a use case may run statements on: the client itself or the transaction it is in. */
export type Tx = Prisma.TransactionClient;

export interface Database {
  readonly prisma: PrismaClient;
  /** The pool under `prisma`, for what Prisma cannot say (COPY, cursors, benchmarks). */
  readonly pool: pg.Pool;
  /** Waits for what is running and closes every connection. */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Connections at most, 10 by default. */
  readonly poolSize?: number;
  readonly log?: (message: string) => void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const STATEMENT_TIMEOUT_MS = 60_000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 60_000;

/** Opens a pool of connections; the first one is made by the first statement. Every statement has a timeout. */
export function openDatabase({ url, poolSize = 10, log = () => undefined }: DatabaseOptions): Database {
  const pool = createPool(
    {
      connectionString: url,
      max: poolSize,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
      idleTimeoutMillis: 60_000,
      keepAlive: true,
      application_name: 'berth',
    },
    {
      statement_timeout: String(STATEMENT_TIMEOUT_MS),
      idle_in_transaction_session_timeout: String(IDLE_IN_TRANSACTION_TIMEOUT_MS),
    },
  );
  const report = (error: Error): void => log(`A database connection was lost: ${error.message}`);
  const adapter = new PrismaPg(pool, {
    statementNameGenerator: createStatementNames(),
    onPoolError: report,
    onConnectionError: report,
  });
  const prisma = new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 30_000 } });
  // Prisma takes its listener away when it disconnects, before the pool ends.
  pool.on('error', () => undefined);
  let closing: Promise<void> | undefined;
  return {
    prisma,
    pool,
    close: () => (closing ??= prisma.$disconnect().then(() => pool.end())),
  };
}
