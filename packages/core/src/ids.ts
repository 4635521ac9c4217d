const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A random UUID v4. Ids are always made by the server, never taken from a client. */
export function newId(): string {
  return globalThis.crypto.randomUUID();
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export const NIL_UUID = '00000000-0000-0000-0000-000000000000';
