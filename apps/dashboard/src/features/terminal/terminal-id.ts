const KEY_PREFIX = 'berth.terminal.';

/** A random UUID v4; `crypto.randomUUID` itself exists on https and localhost only. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The shell of this tab in that agent: the same after a reload, another one in another tab. */
export function terminalId(storage: Pick<Storage, 'getItem' | 'setItem'>, agentId: string): string {
  const known = storage.getItem(KEY_PREFIX + agentId);
  if (known !== null) return known;
  return renewTerminalId(storage, agentId);
}

/** A new shell in place of one that has ended. */
export function renewTerminalId(storage: Pick<Storage, 'setItem'>, agentId: string): string {
  const id = randomUuid();
  storage.setItem(KEY_PREFIX + agentId, id);
  return id;
}
