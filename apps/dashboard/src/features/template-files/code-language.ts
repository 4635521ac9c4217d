import type { StreamParser } from '@codemirror/language';
import { StreamLanguage } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

export type LanguageName = 'yaml' | 'json' | 'markdown' | 'shell' | 'dockerfile' | 'terraform' | 'javascript' | 'typescript' | 'plain';

const BY_EXTENSION: Readonly<Record<string, LanguageName>> = {
  yaml: 'yaml',
  yml: 'yaml',
  json: 'json',
  md: 'markdown',
  markdown: 'markdown',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  tf: 'terraform',
  tfvars: 'terraform',
  hcl: 'terraform',
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
};

/** What a file is written in, by its name, or by how its first line says it is run. */
export function languageOf(path: string, firstLine = ''): LanguageName {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (/^(?:docker|container)file(?:\.|$)|\.dockerfile$/.test(name)) return 'dockerfile';
  const known = name.includes('.') ? BY_EXTENSION[name.slice(name.lastIndexOf('.') + 1)] : undefined;
  if (known !== undefined) return known;
  if (/^\.(?:bash|zsh|profile)/.test(name) || /^#!.*\b(?:ba|da|z|k)?sh\b/.test(firstLine)) return 'shell';
  return /^#!.*\bnode\b/.test(firstLine) ? 'javascript' : 'plain';
}

/** The language's colours and indentation. Each language is loaded when a file needs it. */
export async function loadLanguage(language: LanguageName): Promise<Extension> {
  switch (language) {
    case 'yaml':
      return (await import('@codemirror/lang-yaml')).yaml();
    case 'json':
      return (await import('@codemirror/lang-json')).json();
    case 'markdown':
      return (await import('@codemirror/lang-markdown')).markdown();
    case 'javascript':
      return (await import('@codemirror/lang-javascript')).javascript({ jsx: true });
    case 'typescript':
      return (await import('@codemirror/lang-javascript')).javascript({ jsx: true, typescript: true });
    case 'shell':
      return stream((await import('@codemirror/legacy-modes/mode/shell')).shell);
    case 'dockerfile':
      return stream((await import('@codemirror/legacy-modes/mode/dockerfile')).dockerFile);
    case 'terraform':
      return stream((await import('./terraform-mode.ts')).terraform);
    case 'plain':
      return [];
  }
}

function stream<State>(parser: StreamParser<State>): Extension {
  return StreamLanguage.define(parser);
}
