import { lastStateAt, withoutControls, withoutSequences } from './plain-text.ts';

/** Pieces of text as a terminal would colour them. */
export interface AnsiSpan {
  readonly text: string;
  /** Of the eight colours of a terminal, by number; undefined for that of the text around it. */
  readonly color: number | undefined;
  readonly isBold: boolean;
  readonly isDim: boolean;
  readonly isUnderlined: boolean;
}

type Style = Omit<AnsiSpan, 'text'>;

const PLAIN: Style = { color: undefined, isBold: false, isDim: false, isUnderlined: false };
// oxlint-disable-next-line no-control-regex -- terminal sequences begin with one
const COLOUR = /\u001b\[([0-9;:]*)m/g;

/** The output in pieces of one style each, which together are its plain text. */
export function ansiSpans(output: string): readonly AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let style = PLAIN;
  // The end of the last line is none of the text, though a sequence may follow it.
  const lines = withoutLastEnd(output).split('\n');
  for (const [index, line] of lines.entries()) {
    const pieces: AnsiSpan[] = [];
    let at = 0;
    for (const match of line.matchAll(COLOUR)) {
      pieces.push({ ...style, text: withoutSequences(line.slice(at, match.index)) });
      style = styled(style, match[1] ?? '');
      at = match.index + match[0].length;
    }
    pieces.push({ ...style, text: withoutSequences(line.slice(at)) });
    if (index > 0) spans.push({ ...PLAIN, text: '\n' });
    spans.push(...lastState(pieces));
  }
  return spans;
}

/** What is seen in the end of a line that redraws itself. */
function lastState(pieces: readonly AnsiSpan[]): readonly AnsiSpan[] {
  let skipped = lastStateAt(pieces.map(({ text }) => text).join(''));
  return pieces.flatMap((piece) => {
    const text = withoutControls(piece.text.slice(skipped));
    skipped = Math.max(0, skipped - piece.text.length);
    return text === '' ? [] : [{ ...piece, text }];
  });
}

function withoutLastEnd(output: string): string {
  // oxlint-disable-next-line no-control-regex -- terminal sequences begin with one
  return output.replace(/\n((?:\u001b\[[0-9;:?]*[ -/]*[@-~])*)$/, '$1');
}

function styled(before: Style, parameters: string): Style {
  let style = before;
  const codes = parameters.split(/[;:]/).map(Number);
  for (let index = 0; index < codes.length; index += 1) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      // A colour of 256, or of all: the first sixteen are those that have a name, others stay as the text around them.
      const [mode, number] = [codes[index + 1], codes[index + 2]];
      if (mode === 5 && code === 38) style = { ...style, color: number !== undefined && number < 16 ? number % 8 : undefined };
      index += mode === 5 ? 2 : 4;
    } else {
      style = withCode(style, code);
    }
  }
  return style;
}

function withCode(style: Style, code: number): Style {
  if (code === 0) return PLAIN;
  if (code === 1) return { ...style, isBold: true };
  if (code === 2) return { ...style, isDim: true };
  if (code === 4) return { ...style, isUnderlined: true };
  if (code === 22) return { ...style, isBold: false, isDim: false };
  if (code === 24) return { ...style, isUnderlined: false };
  if (code === 39) return { ...style, color: undefined };
  if (code >= 30 && code <= 37) return { ...style, color: code - 30 };
  if (code >= 90 && code <= 97) return { ...style, color: code - 90 };
  return style;
}
