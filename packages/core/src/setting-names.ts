/** Variables of other parts of Berth: a server may be started in a workspace, or where its command line is used. */
const ELSEWHERE =
  /^BERTH_(?:(?:AGENT|WORKSPACE|PARAM|SCRIPT|SSH|E2E|TEST|FUZZ|KEEP|DEV)_\w*|URL|TOKEN|SESSION_TOKEN|CONFIG_DIR|DEBUG|VERSION)$/;
/** Changed, added or missing letters up to which a name is taken for a misspelled one. */
const DISTANCE_MAX = 3;

export interface SettingNames {
  /** What the process reads. */
  readonly known: readonly string[];
  /** Names that others read, such as those that a settings file refers to. */
  readonly ignored?: readonly string[];
  /** Of unknown names, those to warn of although no known name is near; all unless given. */
  readonly isOwn?: (name: string) => boolean;
}

/** A sentence for each variable of the environment that looks like a setting of Berth and is none, with the nearest name. */
export function unknownSettings(
  environment: Readonly<Record<string, string | undefined>>,
  { known, ignored = [], isOwn }: SettingNames,
): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('BERTH_') && !known.includes(name) && !ignored.includes(name) && !ELSEWHERE.test(name))
    .toSorted()
    .flatMap((name) => {
      const near = nearest(name, known);
      if (near !== undefined) return [`${name} is not a setting of Berth. Did you mean ${near}?`];
      return isOwn === undefined || isOwn(name) ? [`${name} is not a setting of Berth, so it has no effect.`] : [];
    });
}

function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known.map((other) => ({ other, distance: distanceOf(name, other) })).toSorted((a, b) => a.distance - b.distance);
  return best !== undefined && best.distance <= DISTANCE_MAX ? best.other : undefined;
}

/** How many letters have to be changed, added or removed to make one name of the other. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let index = 0; index < from.length; index += 1) {
    const next = [index + 1];
    for (let at = 0; at < to.length; at += 1) {
      const changed = (row[at] ?? 0) + (from[index] === to[at] ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
