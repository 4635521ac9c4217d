/** One terminal of a workspace, as a tab shows it. */
export interface Shell {
  /** Names it at the agent: whoever comes with the same id finds the same shell. */
  readonly id: string;
  /** The app whose command it runs; empty for a login shell. The command itself never stands in an address, which anybody may write. */
  readonly app: string;
  /** What somebody called it; empty for none. */
  readonly name: string;
}

/** As many as there are keys to switch between them. */
export const SHELLS_MAX = 9;
export const SHELL_NAME_MAX = 40;

const SHELL = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?::([a-z0-9-]{1,64}))?(?:~(.*))?$/;

/** The shells that an address names, without what it says wrongly or twice. */
export function parseShells(text: string | undefined): Shell[] {
  const shells = new Map<string, Shell>();
  for (const part of (text ?? '').split(',')) {
    const [, id, app = '', name = ''] = SHELL.exec(part) ?? [];
    if (id !== undefined && shells.size < SHELLS_MAX) shells.set(id, { id, app, name: shellName(name) });
  }
  return [...shells.values()];
}

/** The shells as an address has them: `id`, `id:app` and `id~name`, with commas between them. */
export function shellsText(shells: readonly Shell[]): string {
  return shells.map(({ id, app, name }) => `${id}${app === '' ? '' : `:${app}`}${name === '' ? '' : `~${name}`}`).join(',');
}

/** A title as it may be shown and kept: one line, without control characters and commas. Programs send titles too, and they are data. */
export function shellName(text: string): string {
  return text
    .replaceAll(/[\p{C},]+/gu, ' ')
    .trim()
    .slice(0, SHELL_NAME_MAX)
    .trim();
}

/** What a tab is called: as somebody named it, else as the program in it calls itself, else by its number. */
export function shellLabel({ app, name }: Shell, index: number, title: string | undefined): string {
  if (name !== '') return name;
  const own = shellName(title ?? '');
  return own !== '' ? own : app !== '' ? app : `Shell ${index + 1}`;
}

/** A shell that nobody has opened yet. */
export function newShell(app = ''): Shell {
  return { id: randomUuid(), app, name: '' };
}

/** A random UUID v4; `crypto.randomUUID` itself exists on https and localhost only. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const KEY_PREFIX = 'berth.terminal.';

/** The shells that this browser tab had open in an agent. */
export function knownShells(storage: Pick<Storage, 'getItem'>, agentId: string): Shell[] {
  return parseShells(storage.getItem(KEY_PREFIX + agentId) ?? undefined);
}

/** The same; one new shell at the first time. */
export function rememberedShells(storage: Pick<Storage, 'getItem'>, agentId: string): Shell[] {
  const known = knownShells(storage, agentId);
  return known.length > 0 ? known : [newShell()];
}

export function rememberShells(storage: Pick<Storage, 'setItem'>, agentId: string, shells: readonly Shell[]): void {
  storage.setItem(KEY_PREFIX + agentId, shellsText(shells));
}
