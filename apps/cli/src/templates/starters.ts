import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { z } from 'zod';

export interface Starter {
  /** The name of its folder. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly folder: string;
}

const Facts = z.object({ display_name: z.string().optional(), description: z.string().optional(), order: z.number().optional() });

/** Beside the built program, or in the checkout that it lies in. */
function startersFolder(): string {
  let folder = path.dirname(fileURLToPath(import.meta.url));
  for (let up = 0; up < 6; up += 1) {
    const found = path.join(folder, 'templates');
    if (existsSync(path.join(found, 'shell', 'berth.yaml'))) return found;
    folder = path.dirname(folder);
  }
  throw new Error('The starter templates are missing. Install the program again.');
}

/** The templates to begin with, those for a first try first. */
export async function listStarters(): Promise<Starter[]> {
  const root = startersFolder();
  const names = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const found = await Promise.all(names.map((name) => readStarter(root, name)));
  return found.toSorted((one, other) => one.order - other.order);
}

async function readStarter(root: string, name: string): Promise<Starter & { readonly order: number }> {
  const { parseYaml } = await import('../frame/yaml.ts');
  const folder = path.join(root, name);
  const readme = await readFile(path.join(folder, 'README.md'), 'utf8').catch(() => '');
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(readme)?.[1];
  const facts = Facts.safeParse(front === undefined ? {} : parseYaml(front));
  const { display_name: title = name, description = '', order = 100 } = facts.success ? facts.data : {};
  return { name, title, description, folder, order };
}
