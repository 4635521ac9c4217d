import pg from 'pg';
import { Prisma } from './generated/client.ts';

interface Violation {
  readonly code: 'unique' | 'foreign-key' | 'check' | 'serialization' | 'other';
  /** The constraint's or index's name, when PostgreSQL told it. */
  readonly constraint: string | undefined;
}

const codes: Record<string, Violation['code']> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23001': 'foreign-key',
  '23514': 'check',
  '40001': 'serialization',
  '40P01': 'serialization',
  P2002: 'unique',
  P2003: 'foreign-key',
  P2004: 'check',
  P2034: 'serialization',
};

/** True when a row with the same unique values exists; with `index`, only when that index or constraint said so. */
export function isUniqueViolation(error: unknown, index?: string): boolean {
  return is(error, 'unique', index);
}

/** True when a row refers to one that is absent, or is still referred to. */
export function isForeignKeyViolation(error: unknown, constraint?: string): boolean {
  return is(error, 'foreign-key', constraint);
}

export function isCheckViolation(error: unknown, constraint?: string): boolean {
  return is(error, 'check', constraint);
}

/** True when two transactions got in each other's way and the same work may succeed if it is tried again. */
export function isSerializationFailure(error: unknown): boolean {
  return is(error, 'serialization', undefined);
}

/** Prisma: the server cannot be reached; it closed the connection. */
const AWAY_CODES = ['P1001', 'P1017'];
/** PostgreSQL: it shuts down, crashed, is starting; the connection does not work. */
const AWAY_STATES = /^(?:57P0[1-3]|08...)$/;
/** The driver, which has no codes for these. */
const AWAY_MESSAGES = [
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'timeout exceeded when trying to connect',
];

const LIMITS: Readonly<Record<string, DatabaseLimit>> = {
  '53000': 'resources',
  '53100': 'disk',
  '53200': 'memory',
  '53300': 'connections',
  '53400': 'resources',
  '25006': 'read-only',
};

/** What keeps PostgreSQL from doing what it was asked, although the statement is correct. */
export type DatabaseLimit = 'disk' | 'memory' | 'connections' | 'resources' | 'read-only';

/** The resource that the database ran out of, or that it is read-only; undefined for every other failure. */
export function databaseLimit(error: unknown): DatabaseLimit | undefined {
  return LIMITS[stateOf(error) ?? ''];
}

/** PostgreSQL's own code of a failure. Prisma has none of its own for most of them, and then throws what the driver threw. */
function stateOf(error: unknown): string | undefined {
  if (error instanceof pg.DatabaseError) return error.code;
  if (!(error instanceof Error)) return undefined;
  const isKnown = error instanceof Prisma.PrismaClientKnownRequestError;
  return text(field(isKnown ? field(field(error.meta, 'driverAdapterError'), 'cause') : error.cause, 'originalCode'));
}

/** True when the database cannot be reached, or went away in the middle: the same work may succeed a moment later. */
export function isDatabaseAway(error: unknown): boolean {
  if (AWAY_STATES.test(stateOf(error) ?? '')) return true;
  if (error instanceof Prisma.PrismaClientKnownRequestError) {
    const cause = field(field(error.meta, 'driverAdapterError'), 'cause');
    const kind = text(field(cause, 'kind')) ?? '';
    return AWAY_CODES.includes(error.code) || kind === 'DatabaseNotReachable' || kind === 'ConnectionClosed';
  }
  return error instanceof Error && AWAY_MESSAGES.some((message) => error.message.startsWith(message));
}

/** True for an update or delete of exactly one row that is not there. */
export function isRecordNotFound(error: unknown): boolean {
  if (!(error instanceof Prisma.PrismaClientKnownRequestError) || error.code !== 'P2025') return false;
  return field(error.meta, 'operation') !== 'a query';
}

function is(error: unknown, code: Violation['code'], constraint: string | undefined): boolean {
  const violation = violationOf(error);
  if (violation?.code !== code) return false;
  return constraint === undefined || violation.constraint === constraint;
}

function violationOf(error: unknown): Violation | undefined {
  if (error instanceof pg.DatabaseError) return { code: codes[error.code ?? ''] ?? 'other', constraint: error.constraint };
  if (!(error instanceof Prisma.PrismaClientKnownRequestError)) return undefined;
  // Raw statements fail as P2010, with PostgreSQL's own code and message in the driver's cause.
  const cause = field(field(error.meta, 'driverAdapterError'), 'cause');
  const original = text(field(cause, 'originalCode'));
  const message = text(field(cause, 'originalMessage')) ?? '';
  const constraint = text(field(field(cause, 'constraint'), 'index')) ?? /constraint "([^"]+)"/.exec(message)?.[1];
  return { code: codes[original ?? error.code] ?? 'other', constraint };
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
