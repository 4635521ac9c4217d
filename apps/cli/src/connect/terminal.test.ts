import { describe, expect, test } from 'vitest';

import { Escapes } from './escapes.ts';
import { TerminalModes } from './terminal-modes.ts';

describe('a terminal after a connection', () => {
  const undoOf = (...output: readonly string[]): string => {
    const modes = new TerminalModes();
    for (const chunk of output) modes.see(Buffer.from(chunk));
    return modes.undo();
  };

  test('gets back what a program changed and left', () => {
    expect(undoOf('\u001b[?1049h\u001b[?25l text')).toBe('\u001b[?1049l\u001b[?25h\u001b[0m');
    expect(undoOf('\u001b[?1002;1006h')).toContain('\u001b[?1006l');
  });

  test('is left alone when programs tidied up, or changed nothing', () => {
    expect(undoOf('\u001b[?1049h', 'text', '\u001b[?1049l')).toBe('');
    expect(undoOf('\u001b[31mred\u001b[0m', '\u001b[?7727h')).toBe('');
  });

  test('a sequence that is cut in two counts', () => {
    expect(undoOf('text\u001b[?10', '49h')).toContain('\u001b[?1049l');
  });
});

describe('the way out of a connection', () => {
  const sent = (...input: readonly string[]): { readonly text: string; readonly isOut: boolean } => {
    const escapes = new Escapes();
    let text = '';
    for (const chunk of input) {
      const { send, isOut } = escapes.read(Buffer.from(chunk));
      text += send.toString();
      if (isOut) return { text, isOut };
    }
    return { text, isOut: false };
  };

  test('is ~. at the beginning of a line only', () => {
    expect(sent('~.')).toEqual({ text: '', isOut: true });
    expect(sent('ls\r', '~', '.')).toEqual({ text: 'ls\r', isOut: true });
    expect(sent('ls ~.\r')).toEqual({ text: 'ls ~.\r', isOut: false });
  });

  test('any other tilde arrives', () => {
    expect(sent('~/bin\r', 'cd ~\r', '~~x').text).toBe('~/bin\rcd ~\r~x');
  });
});
