/** Who needs whom in a plan. Nodes are addresses without indexes, such as `module.ide.coder_app.web`. */
export interface DependencyGraph {
  dependenciesOf(address: string): readonly string[];
  dependentsOf(address: string): readonly string[];
}

const EDGE = /^\s*"((?:[^"\\]|\\.)*)"\s*->\s*"((?:[^"\\]|\\.)*)"/;

/** Reads what `terraform graph` writes. */
export function parseGraph(dot: string): DependencyGraph {
  const [dependencies, dependents] = [new Map<string, string[]>(), new Map<string, string[]>()];
  for (const line of dot.split('\n')) {
    const [, from, to] = EDGE.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    // The end of a provider waits for everything that uses it, which says nothing about who needs whom.
    if (/^(?:\[root\] )?provider\[.*\(close\)$/.test(unescape(from))) continue;
    const [dependent, dependency] = [nodeName(from), nodeName(to)];
    if (dependent === dependency) continue;
    dependencies.set(dependent, [...(dependencies.get(dependent) ?? []), dependency]);
    dependents.set(dependency, [...(dependents.get(dependency) ?? []), dependent]);
  }
  return {
    dependenciesOf: (address) => dependencies.get(address) ?? [],
    dependentsOf: (address) => dependents.get(address) ?? [],
  };
}

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1');
}

function nodeName(id: string): string {
  return unescape(id)
    .replace(/^\[root\] /, '')
    .replace(/ \(expand\)$/, '');
}

/** An address as the graph knows it: without the index of a resource or of a module. */
export function withoutIndexes(address: string): string {
  return address.replaceAll(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]/g, '');
}

/**
 * The nearest address for which `isWanted` holds, over any number of variables, locals and outputs; of several equally near ones the first
 * by name. `isOpaque` says what is not walked through.
 */
export function nearest(
  start: string,
  {
    next,
    isWanted,
    isOpaque = () => false,
  }: { next: (address: string) => readonly string[]; isWanted: (address: string) => boolean; isOpaque?: (address: string) => boolean },
): string | undefined {
  const seen = new Set([start]);
  let frontier = [start];
  while (frontier.length > 0) {
    const reached = [...new Set(frontier.flatMap((address) => next(address)))].filter((address) => !seen.has(address));
    const [found] = reached.filter(isWanted).toSorted();
    if (found !== undefined) return found;
    for (const address of reached) seen.add(address);
    frontier = reached.filter((address) => !isOpaque(address));
  }
  return undefined;
}
