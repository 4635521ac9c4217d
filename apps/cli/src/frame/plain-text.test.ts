import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, fit, plain, plainLines } from './plain-text.ts';
import { toYaml } from './yaml.ts';

// oxlint-disable-next-line no-control-regex -- what a terminal might obey
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;
const hostile = fc.string({ unit: 'binary' });

describe('text of a server', () => {
  it('drives no terminal, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(plain(text)).not.toMatch(OBEYED);
        expect(plain(text)).not.toContain('\n');
        expect(plainLines(text)).not.toMatch(OBEYED);
        expect(escapeControls(JSON.stringify(text))).not.toMatch(OBEYED);
        expect(toYaml({ text })).not.toMatch(OBEYED);
      }),
    );
  });

  it('stays the same for programs', async () => {
    const { parse } = await import('yaml');
    const text = 'a\u009bb\u202ec\u001b[31md "quoted" é 日本\n';
    expect(JSON.parse(escapeControls(JSON.stringify({ text })))).toEqual({ text });
    expect(parse(toYaml({ text, list: ['yes', '1', ''] }))).toEqual({ text, list: ['yes', '1', ''] });
  });

  it('loses whole escape sequences, not only their first character', () => {
    expect(plain('\u001b[31mred\u001b[0m')).toBe('red');
    expect(plain('\u001b]8;;http://evil.example\u0007link\u001b]8;;\u0007')).toBe('link');
  });
});

it('text is cut to a width with an ellipsis', () => {
  expect(fit('abc', 3)).toBe('abc');
  expect(fit('abcd', 3)).toBe('ab…');
});
