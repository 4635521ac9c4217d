import { invalid } from '@berth/core';
import { AGENT_RPC_VERSION } from '@berth/protocol';

/**
 * Whether this server speaks the version that an agent asks for, `major.minor`; absent is the first one, as agents dialled that knew no other.
 *
 * @throws invalid naming `version` for another major, a later minor, or anything else.
 */
export function requireRpcVersion(version: string | undefined): void {
  const { major, minor } = AGENT_RPC_VERSION;
  const [, askedMajor, askedMinor] = /^(\d{1,6})\.(\d{1,6})$/.exec(version ?? `${major}.0`) ?? [];
  if (Number(askedMajor) === major && Number(askedMinor) <= minor) return;
  const detail = `must be ${major}.0${minor === 0 ? '' : ` to ${major}.${minor}`}`;
  throw invalid('Unknown or unsupported API version', [{ field: 'version', detail }]);
}
