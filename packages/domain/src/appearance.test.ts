import { describe, expect, it } from 'vitest';
import { bannerParts, bannerTextProblem, logoProblem, wordsOn } from './appearance.ts';

describe('the address of a logo', () => {
  it.each(['', 'https://example.com/logo.svg', 'data:image/png;base64,iVBORw0KGgo='])('takes %s', (url) => {
    expect(logoProblem(url)).toBeNull();
  });
  it.each([
    'http://example.com/logo.png',
    'javascript:alert(1)',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:image/svg+xml,<svg onload="alert(1)"/>',
    'https://user:secret@example.com/logo.png',
    '//example.com/logo.png',
    'logo.png',
  ])('refuses %s', (url) => {
    expect(logoProblem(url)).not.toBeNull();
  });
});

describe('the text of a banner', () => {
  it('knows links, strong words and nothing else', () => {
    expect(bannerParts('Read **this**: [the plan](https://example.com/plan), <b>now</b>')).toEqual([
      { kind: 'text', text: 'Read ' },
      { kind: 'strong', text: 'this' },
      { kind: 'text', text: ': ' },
      { kind: 'link', text: 'the plan', href: 'https://example.com/plan' },
      { kind: 'text', text: ', <b>now</b>' },
    ]);
  });

  it.each(['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', '//evil.example', '/\\evil.example', 'vbscript:x', ''])(
    'refuses a link to %s, and would show it as text',
    (href) => {
      const text = `[here](${href})`;
      expect(bannerTextProblem(text)).not.toBeNull();
      const parts = bannerParts(text);
      expect(parts.every(({ kind }) => kind === 'text')).toBe(true);
      expect(parts.map((part) => part.text).join('')).toBe(text);
    },
  );

  it.each(['/templates', 'mailto:help@example.com', 'http://status.example/'])('takes a link to %s', (href) => {
    expect(bannerTextProblem(`[here](${href})`)).toBeNull();
  });
});

it('finds words that can be read on any colour', () => {
  for (const color of ['#000000', '#ffffff', '#808080', '#757575', '#ff0000', '#00ff00', '#0000ff', '#C92A2A', '#e8a33d']) {
    expect(wordsOn(color).contrast, color).toBeGreaterThanOrEqual(4.5);
  }
  expect(wordsOn('#0b2e4f').color).toBe('#ffffff');
  expect(wordsOn('#ffe066').color).toBe('#000000');
});
