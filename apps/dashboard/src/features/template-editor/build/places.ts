/** A sentence of the import, and the place in the files that it names. */
export interface Place {
  readonly message: string;
  readonly path: string | undefined;
  /** From 1. */
  readonly line: number | undefined;
}

const PLACES_MAX = 50;

/**
 * The sentences of a failed import with their places: `berth.yaml:12: name: …` of Berth's own format, and `on main.tf line 3, in resource …`
 * of Terraform. Only files that are there are places.
 */
export function placesOf(error: string, paths: readonly string[]): Place[] {
  const known = new Set(paths);
  const places: Place[] = [];
  for (const line of error.split('\n')) {
    const terraform = /^\W*on (\S+) line (\d+)/.exec(line);
    const last = places.at(-1);
    if (terraform !== null && last !== undefined && last.path === undefined && known.has(plain(terraform[1] ?? ''))) {
      places[places.length - 1] = { ...last, path: plain(terraform[1] ?? ''), line: Number(terraform[2]) };
      continue;
    }
    const own = /^(\S[^:]*):(\d+)(?::\d+)?:\s+(.*)$/.exec(line);
    const text = line.replace(/^[\s│╷╵|]+/, '').trim();
    if (own !== null && known.has(plain(own[1] ?? ''))) {
      places.push({ path: plain(own[1] ?? ''), line: Number(own[2]), message: own[3] ?? '' });
    } else if (text !== '') {
      const file = /^(\S[^:\s]*): /.exec(text)?.[1];
      places.push({ message: text, path: file !== undefined && known.has(plain(file)) ? plain(file) : undefined, line: undefined });
    }
    if (places.length >= PLACES_MAX) break;
  }
  return places;
}

function plain(path: string): string {
  return path.replace(/^\.\//, '').replace(/,$/, '');
}
