import { expect, test } from 'vitest';
import { tarOf } from '../template-files/tar.ts';
import { templateFactsOf } from './berth-file.ts';

const YAML = 'version: 1\nname: Node web project\ndescription: "A web server: small."\nicon: /icon/node.svg\n';
const FACTS = { name: 'Node web project', description: 'A web server: small.', icon: '/icon/node.svg' };
const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text));

test('the berth.yaml is found among loose files, in a tar archive, and in a compressed one', async () => {
  const tar = tarOf([
    { path: 'README.md', bytes: bytes('# Web') },
    { path: 'berth.yaml', bytes: bytes(YAML) },
  ]);
  const compressed = await new Response(tar.stream().pipeThrough(new CompressionStream('gzip'))).blob();
  for (const files of [
    [new File(['# Web'], 'README.md'), new File([YAML], 'berth.yaml')],
    [new File([tar], 'web.tar')],
    [new File([compressed], 'web.tar.gz')],
    [new File([compressed], 'web.tgz')],
  ]) {
    expect(await templateFactsOf(files)).toEqual(FACTS);
  }
});

test('files without a readable berth.yaml say nothing, and what has another type counts as absent', async () => {
  expect(await templateFactsOf([])).toBeUndefined();
  expect(await templateFactsOf([new File(['resource {}'], 'main.tf')])).toBeUndefined();
  expect(await templateFactsOf([new File(['not an archive'], 'broken.tar')])).toBeUndefined();
  expect(await templateFactsOf([new File(['name: [unclosed'], 'berth.yaml')])).toBeUndefined();
  expect(await templateFactsOf([new File(['name: 7\n'], 'berth.yaml')])).toEqual({ name: '', description: '', icon: '' });
});
