/** READMEs of templates begin with what the gallery says of them, between two lines of dashes. */
export function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(?:\r?\n|$)/, '');
}
