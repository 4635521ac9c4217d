import { describe, expect, it } from 'vitest';
import { matchRank, matching, wordsOf } from './command.ts';

const titles = (commands: readonly { title: string }[]): string[] => commands.map(({ title }) => title);
const named = (...all: string[]) => all.map((title) => ({ title }));

describe('matching commands', () => {
  it('needs every word, in any order, also from detail and keywords', () => {
    const stop = { title: 'Stop api', detail: 'ada', keywords: 'shut down' };
    expect(matchRank(stop, wordsOf('api stop'))).not.toBeNull();
    expect(matchRank(stop, wordsOf('shut ada'))).not.toBeNull();
    expect(matchRank(stop, wordsOf('stop web'))).toBeNull();
  });

  it('puts the very title first, then beginnings, then words, then the rest', () => {
    expect(titles(matching(named('grape-api-x', 'my webapi', 'api-two', 'api'), wordsOf('api')))).toEqual([
      'api',
      'api-two',
      'grape-api-x',
      'my webapi',
    ]);
  });

  it('keeps the order of equals, and shows everything for no words', () => {
    expect(titles(matching(named('b', 'a'), wordsOf('  ')))).toEqual(['b', 'a']);
  });

  it('minds neither case nor accents', () => {
    expect(titles(matching(named('Félix Moreau'), wordsOf('FELIX')))).toEqual(['Félix Moreau']);
  });
});
