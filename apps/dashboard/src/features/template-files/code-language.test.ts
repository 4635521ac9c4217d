import { EditorState } from '@codemirror/state';
import { ensureSyntaxTree } from '@codemirror/language';
import { expect, test } from 'vitest';
import type { LanguageName } from './code-language.ts';
import { languageOf, loadLanguage } from './code-language.ts';

test.each([
  ['berth.yaml', '', 'yaml'],
  ['Dockerfile', '', 'dockerfile'],
  ['images/dev.Dockerfile', '', 'dockerfile'],
  ['main.tf', '', 'terraform'],
  ['main.tf.json', '', 'json'],
  ['README.md', '', 'markdown'],
  ['bin/start', '#!/usr/bin/env bash', 'shell'],
  ['bin/serve', '#!/usr/bin/env node', 'javascript'],
  ['src/app.ts', '', 'typescript'],
  ['.bashrc', '', 'shell'],
  ['LICENSE', 'MIT', 'plain'],
] as const)('%s with the first line "%s" is %s', (path, firstLine, language) => {
  expect(languageOf(path, firstLine)).toBe(language);
});

test('Terraform has its blocks, strings, heredocs and comments coloured', async () => {
  const doc = 'resource "a" "b" {\n  size = 3 # small\n  text = <<-EOT\n    resource\n  EOT\n  ok = true\n}\n';
  const state = EditorState.create({ doc, extensions: [await loadLanguage('terraform')] });
  const found: string[] = [];
  ensureSyntaxTree(state, doc.length, 5000)?.iterate({
    enter: ({ name, from, to }) => {
      if (name !== 'Document') found.push(`${name} ${doc.slice(from, to).trim()}`);
    },
  });
  expect(found).toEqual([
    'keyword resource',
    'string "a"',
    'string "b"',
    'propertyName size',
    'number 3',
    'comment # small',
    'propertyName text',
    'string <<-EOT',
    'string resource',
    'string EOT',
    'propertyName ok',
    'atom true',
  ]);
});

test.each(['yaml', 'json', 'markdown', 'shell', 'dockerfile', 'javascript', 'typescript', 'plain'] satisfies LanguageName[])(
  'the language %s can be loaded',
  async (language) => {
    expect(EditorState.create({ doc: 'a: 1', extensions: [await loadLanguage(language)] }).doc.lines).toBe(1);
  },
);
