import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ansiSpans } from './ansi.ts';
import { plainText } from './plain-text.ts';

const look = (output: string) =>
  ansiSpans(output).map(({ text, color, isBold, isDim, isUnderlined }) =>
    [text, color ?? '-', isBold ? 'b' : '', isDim ? 'd' : '', isUnderlined ? 'u' : ''].join(''),
  );

test.each([
  ['\u001b[32mgreen\u001b[0m plain', ['green2', ' plain-']],
  ['\u001b[1;91mbold red\u001b[39m bold\u001b[m plain', ['bold red1b', ' bold-b', ' plain-']],
  ['\u001b[4munder\u001b[24m\u001b[2mdim', ['under-u', 'dim-d']],
  ['\u001b[38;5;11myellow\u001b[38;5;200mother\u001b[38;2;1;2;31mrgb', ['yellow3', 'other-', 'rgb-']],
  ['\u001b[31m10%\r\u001b[32m100%\r\n', ['100%2']],
  ['\u001b[31mone\ntwo', ['one1', '\n-', 'two1']],
])('%j is drawn as %j', (output, spans) => {
  expect(look(output)).toEqual(spans);
});

test('whatever a program writes, the pieces together are its plain text', () => {
  const part = fc.oneof(fc.string(), fc.constantFrom('\u001b[31m', '\u001b[0m', '\u001b[1;4m', '\u001b[2K', '\r', '\n'));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const output = parts.join('');
      const text = ansiSpans(output)
        .map((span) => span.text)
        .join('');
      expect(text).toBe(plainText(output));
    }),
  );
});
