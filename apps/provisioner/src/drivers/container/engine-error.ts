import type { EngineAddress } from './engine-address.ts';
import { showAddress } from './engine-address.ts';

/** What the engine, or the way to it, said instead of doing what it was asked; the message is for people. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  /** The engine's own status; 0 when it could not be asked. */
  readonly status: number;

  constructor(message: string, options: { status?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.status = options.status ?? 0;
  }
}

/** Why the engine could not be asked, in a sentence that says what helps. */
export function connectionProblem(address: EngineAddress, error: unknown): EngineError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const where = showAddress(address);
  const sentence = () => {
    switch (code) {
      case 'ENOENT':
        return `There is no engine at ${where}.`;
      case 'EACCES':
        return `The user of the provisioner may not use ${where}: put the user into the group of the socket (often "docker") and start it again.`;
      case 'ECONNREFUSED':
        return `Nobody listens at ${where}: the engine is not running.`;
      case 'ECONNRESET':
      case 'EPIPE':
        return `The engine at ${where} hung up.`;
      default:
        return `The engine at ${where} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return new EngineError(sentence(), { cause: error });
}

/** Whether the engine says that there is no such thing. */
export function isGone(error: unknown): boolean {
  return error instanceof EngineError && error.status === 404;
}

export function isConflict(error: unknown): boolean {
  return error instanceof EngineError && error.status === 409;
}
