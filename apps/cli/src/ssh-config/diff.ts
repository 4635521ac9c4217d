/** The lines that one change of a text in one place takes out and puts in, with up to three lines around it; empty when nothing changes. */
export function diffOf(before: string, after: string, file: string): string {
  if (before === after) return '';
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let same = 0;
  while (same < old.length - start && same < now.length - start && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const from = Math.max(0, start - 3);
  const lead = old.slice(from, start).map((line) => ` ${line}`);
  const gone = old.slice(start, old.length - same).map((line) => `-${line}`);
  const made = now.slice(start, now.length - same).map((line) => `+${line}`);
  const trail = old.slice(old.length - same, old.length - same + 3).map((line) => ` ${line}`);
  const hunk = `@@ -${from + 1},${lead.length + gone.length + trail.length} +${from + 1},${lead.length + made.length + trail.length} @@`;
  return [`--- ${file}`, `+++ ${file}`, hunk, ...lead, ...gone, ...made, ...trail, ''].join('\n');
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
