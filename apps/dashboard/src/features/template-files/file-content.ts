import type { TemplateFile } from './tar.ts';

/** Longer texts are for editors on a desk. */
export const TEXT_BYTES_MAX = 1024 * 1024;
const SNIFFED_BYTES = 8192;

export type FileContent =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large' }
  | { readonly kind: 'link'; readonly target: string };

/** What can be shown of a file. Text is UTF-8 without NUL; everything else is binary. */
export function contentOf({ bytes, link }: TemplateFile): FileContent {
  if (link !== undefined) return { kind: 'link', target: link };
  if (bytes.subarray(0, SNIFFED_BYTES).includes(0)) return { kind: 'binary' };
  if (bytes.length > TEXT_BYTES_MAX) return { kind: 'large' };
  try {
    return { kind: 'text', text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { kind: 'binary' };
  }
}

/** Why there is no text to show. */
export function contentWords(content: Exclude<FileContent, { kind: 'text' }>): string {
  switch (content.kind) {
    case 'binary':
      return 'This file is not text.';
    case 'large':
      return 'This file has more than 1 MiB, too much to show here.';
    case 'link':
      return `A symbolic link to ${content.target}.`;
  }
}

/** A size as people read it: "512 B", "1.4 KiB". */
export function sizeWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${kib.toFixed(kib < 10 ? 1 : 0)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}
