import { DomainError } from '@berth/core';

/**
 * Why a tunnel did not do what was asked:
 * - `closed`: the tunnel, or the other end of the stream, is gone;
 * - `refused`: nothing listens on that port in the workspace;
 * - `rejected`: the agent would not, and the message says why;
 * - `timeout`: no answer in time;
 * - `protocol`: the other end sent what the protocol does not allow.
 */
export type TunnelErrorCode = 'closed' | 'refused' | 'rejected' | 'timeout' | 'protocol';

/** What every failed tunnel operation throws, and what a broken stream is destroyed with. */
export class TunnelError extends DomainError {
  readonly code: TunnelErrorCode;

  constructor(code: TunnelErrorCode, message: string, cause?: unknown) {
    super('unavailable', message, { cause });
    this.code = code;
  }
}
