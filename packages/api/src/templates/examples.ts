import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ProvisionerType } from '@berth/domain';
import { TEMPLATE_VARIABLE_TYPES } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import { outlineOfEntries } from '../template-versions/archive-outline.ts';
import type { TemplateExample } from './contract.ts';

/** A variable of a starter without a default, as its files declare it. */
const Variable = z.object({
  name: z.string().min(1),
  type: z.enum(TEMPLATE_VARIABLE_TYPES).default('string'),
  description: z.string().default(''),
  sensitive: z.boolean().default(false),
});

/** What the README of a starter says of it, between two lines of `---`. */
const FrontMatter = z.object({
  display_name: z.string().optional(),
  name: z.string().optional(),
  description: z.string().default(''),
  icon: z.string().default(''),
  tags: z.array(z.string()).default([]),
  /** Its import needs values for them. */
  variables: z.array(Variable).default([]),
  /** Its place among the starters: those that need nothing of the host come first. */
  order: z.int().default(1000),
});

export interface Example {
  readonly id: string;
  /** The name of its folder, and of the template made from it. */
  readonly slug: string;
  readonly folder: string;
  readonly provisioner: ProvisionerType;
  readonly displayName: string;
  readonly description: string;
  readonly icon: string;
  readonly tags: readonly string[];
  readonly markdown: string;
  readonly variables: readonly z.output<typeof Variable>[];
  readonly order: number;
}

/** The starter templates that ship with the server, those for a first try first: the folders of `templatesDir` that hold a template. */
export async function readExamples(services: Services): Promise<Example[]> {
  const root = services.settings.templatesDir;
  const entries = await readdir(root, { withFileTypes: true }).catch(() => {
    services.log.warn({ folder: root }, 'the folder of the starter templates cannot be read');
    return [];
  });
  const slugs = entries.filter((entry) => entry.isDirectory() && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(entry.name)).map((entry) => entry.name);
  const examples = await Promise.all(slugs.toSorted().map((slug) => readExample(slug, join(root, slug))));
  return examples.filter((example) => example !== null).toSorted((one, other) => one.order - other.order);
}

/** The starter with this id or folder name, or null. */
export async function findExample(services: Services, idOrSlug: string): Promise<Example | null> {
  const examples = await readExamples(services);
  return examples.find(({ id, slug }) => id === idOrSlug.toLowerCase() || slug === idOrSlug) ?? null;
}

/** @param unserved Why no connected provisioner would import it, for each driver; empty where one would. */
export function presentExample(services: Services, example: Example, unserved: ReadonlyMap<ProvisionerType, string>): TemplateExample {
  const reason = unserved.get(example.provisioner) ?? '';
  return {
    id: example.id,
    url: `${services.settings.accessUrl}/templates/new?example=${example.slug}`,
    name: example.displayName,
    description: example.description,
    icon: example.icon,
    tags: [...example.tags],
    markdown: example.markdown,
    variables: [...example.variables],
    available: reason === '',
    unavailable_reason: reason,
  };
}

async function readExample(slug: string, folder: string): Promise<Example | null> {
  const names = await readdir(folder);
  if (!names.some((name) => name === 'berth.yaml' || name.endsWith('.tf'))) return null;
  const readme = names.includes('README.md') ? await readFile(join(folder, 'README.md'), 'utf8') : '';
  const { facts, body } = splitFrontMatter(readme);
  return {
    id: stableId(slug),
    slug,
    folder,
    provisioner: await driverOf(folder, names),
    displayName: facts.display_name ?? facts.name ?? titleOf(body) ?? slug,
    description: facts.description,
    icon: facts.icon,
    tags: facts.tags,
    markdown: body,
    variables: facts.variables,
    order: facts.order,
  };
}

async function driverOf(folder: string, names: readonly string[]): Promise<ProvisionerType> {
  const files = names.map(async (path) => ({
    path,
    bytes: path === 'berth.yaml' ? await readFile(join(folder, path)) : new Uint8Array(),
  }));
  return outlineOfEntries(await Promise.all(files), 'example_id').provisioner;
}

function splitFrontMatter(readme: string): { facts: z.output<typeof FrontMatter>; body: string } {
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(readme);
  if (match === null) return { facts: FrontMatter.parse({}), body: readme };
  const parsed = FrontMatter.safeParse(parse(match[1] ?? '') ?? {});
  return { facts: parsed.success ? parsed.data : FrontMatter.parse({}), body: readme.slice(match[0].length) };
}

function titleOf(markdown: string): string | null {
  return /^#\s+(.+)$/m.exec(markdown)?.[1]?.trim() ?? null;
}

/** The same UUID for the same folder name, on every server. */
function stableId(slug: string): string {
  const hash = createHash('sha256').update(`berth starter template ${slug}`).digest('hex');
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
