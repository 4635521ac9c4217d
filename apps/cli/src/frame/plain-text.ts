import { stripVTControlCharacters } from 'node:util';

// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
// oxlint-disable-next-line no-control-regex -- the same, but for line breaks and tabs
const CONTROL_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/**
 * Text of a server made safe for a terminal: one line, without escape sequences, control characters, or marks that turn the direction of
 * writing. Whoever names a workspace must not be able to drive the terminal of the one who lists it.
 */
export function plain(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/[\t\n\r]+/g, ' ')
    .replace(CONTROL, '');
}

/** The same for text of several lines, which keeps its line breaks and tabs. */
export function plainLines(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n').replace(CONTROL_IN_LINES, '');
}

/** Leaves out what a terminal might obey, in text that quotes some control characters itself, as JSON does. */
export function escapeControls(text: string): string {
  return text.replace(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (found) => {
    return `\\u${(found.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  });
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const segmenter = new Intl.Segmenter();

/** Columns that plain text takes on a terminal. */
export function widthOf(text: string): number {
  // Printable ASCII needs no look at each character.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text cut to `width` columns, with an ellipsis where something is missing. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const { segment } of segmenter.segment(text)) {
    const next = WIDE.test(segment) ? 2 : 1;
    if (used + next > width - 1) break;
    kept += segment;
    used += next;
  }
  return `${kept}…`;
}
