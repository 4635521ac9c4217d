// oxlint-disable-next-line no-control-regex -- terminal sequences begin with one
const TERMINAL_SEQUENCE = /\u001b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// oxlint-disable-next-line no-control-regex -- the other control characters
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** What a program printed, as plain text: without colours and cursor moves, and of a line that redraws itself only the last state. */
export function plainText(output: string): string {
  return withoutSequences(output)
    .replace(/\r?\n$/, '')
    .split('\n')
    .map((line) => withoutControls(line.slice(lastStateAt(line))))
    .join('\n');
}

export function withoutSequences(output: string): string {
  return output.replace(TERMINAL_SEQUENCE, '');
}

export function withoutControls(text: string): string {
  return text.replace(CONTROL, '');
}

/** Where the last state begins of a line without sequences that redraws itself. */
export function lastStateAt(line: string): number {
  return line.replace(/\r+$/, '').lastIndexOf('\r') + 1;
}
