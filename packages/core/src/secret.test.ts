import { format, inspect } from 'node:util';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { Secret, secretText } from './secret.ts';

const secret = new Secret('hunter2');

it('prints itself nowhere', () => {
  const printed = [
    String(secret),
    `${secret}`,
    '' + String(secret),
    JSON.stringify({ secret, list: [secret] }),
    inspect({ deep: { secret } }, { depth: null, showHidden: true }),
    format('%s %o %j %O', secret, secret, secret, secret),
    Object.entries(secret).join(),
    String(new Error('failed', { cause: secret }).cause),
  ];
  for (const text of printed) expect(text).not.toContain('hunter2');
});

it('gives its text to whoever asks for it', () => {
  expect(secret.reveal()).toBe('hunter2');
});

it('is what a setting becomes, and a refused one is not shown either', () => {
  const setting = secretText(z.string().min(4));
  expect(setting.parse('hunter2').reveal()).toBe('hunter2');
  expect(JSON.stringify(setting.safeParse('hun'))).not.toContain('hun"');
});
