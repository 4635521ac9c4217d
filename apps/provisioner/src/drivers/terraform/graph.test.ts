import { describe, expect, it } from 'vitest';
import { nearest, parseGraph, withoutIndexes } from './graph.ts';

const dot = (...edges: [string, string][]) =>
  `digraph {\n\tsubgraph "root" {\n${edges.map(([from, to]) => `\t\t"[root] ${from}" -> "[root] ${to}"`).join('\n')}\n\t}\n}`;

describe('a graph of Terraform', () => {
  it('is read the same with and without what Terraform writes around names', () => {
    const full = parseGraph(dot(['a_b.c (expand)', 'module.m.a_b.d (expand)']));
    const plain = parseGraph('digraph G {\n  "a_b.c" -> "module.m.a_b.d";\n  "a_b.c" [label="a_b.c"];\n}');
    for (const graph of [full, plain]) {
      expect(graph.dependenciesOf('a_b.c')).toEqual(['module.m.a_b.d']);
      expect(graph.dependentsOf('module.m.a_b.d')).toEqual(['a_b.c']);
      expect(graph.dependenciesOf('nobody')).toEqual([]);
    }
  });

  it('does not take the end of a provider for somebody who needs what it made', () => {
    const graph = parseGraph(
      dot([String.raw`provider[\"registry/x\"] (close)`, 'a_b.c (expand)'], [String.raw`provider[\"registry/x\"]`, 'a_b.c (expand)']),
    );
    expect(graph.dependentsOf('a_b.c')).toEqual(['provider["registry/x"]']);
  });

  it('finds the nearest of several, and of equally near ones the first by name', () => {
    const graph = parseGraph(dot(['a', 'b'], ['a', 'c'], ['b', 'far'], ['c', 'z'], ['c', 'y'], ['y', 'far2']));
    const find = (isWanted: (address: string) => boolean) => nearest('a', { next: graph.dependenciesOf, isWanted });
    expect(find((address) => ['z', 'y', 'far2'].includes(address))).toBe('y');
    expect(find((address) => address === 'far2')).toBe('far2');
    expect(find(() => false)).toBeUndefined();
    expect(
      nearest('a', { next: graph.dependenciesOf, isWanted: (address) => address === 'far', isOpaque: (address) => address === 'b' }),
    ).toBeUndefined();
  });

  it('comes to an end where names need each other', () => {
    const graph = parseGraph(dot(['a', 'b'], ['b', 'a'], ['a', 'a']));
    expect(nearest('a', { next: graph.dependenciesOf, isWanted: (address) => address === 'c' })).toBeUndefined();
  });
});

it.each([
  ['a_b.c', 'a_b.c'],
  ['a_b.c[0]', 'a_b.c'],
  ['module.m["x.y"].a_b.c["q\\"]"]', 'module.m.a_b.c'],
  ['module.m[1].module.n[2].data.a.b', 'module.m.module.n.data.a.b'],
])('the address %s is %s to the graph', (address, label) => {
  expect(withoutIndexes(address)).toBe(label);
});
