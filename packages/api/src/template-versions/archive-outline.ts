import { invalidField } from '@berth/core';
import type { ProvisionerType } from '@berth/domain';
import { PROVISIONER_LIMITS } from '@berth/protocol';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ArchiveEntry } from '../files/tar.ts';
import { readTar } from '../files/tar.ts';

const BERTH_YAML = 'berth.yaml';
const README = 'README.md';
/** A longer README fails the import. */
const README_BYTES = PROVISIONER_LIMITS.readme;

const FRONT_MATTER = /^---\r?\n[\s\S]*?\r?\n---\r?\n+/;

/** What can be known of a template before a provisioner reads it. */
export interface ArchiveOutline {
  readonly provisioner: ProvisionerType;
  /** The README without its front matter; empty when it is missing or too long. */
  readonly readme: string;
}

/** The little of a template that says for which driver it is. What else is wrong with it, its import says better. */
const Outline = z.object({ resources: z.array(z.object({ type: z.string().optional() })) });

/** See `outlineOfEntries`. @throws invalid also for bytes that are not a tar file. */
export async function outlineOfTar(tar: Uint8Array, field: string): Promise<ArchiveOutline> {
  return outlineOfEntries(await readTar(tar, { keepBytes: (path) => path === BERTH_YAML || path === README }), field);
}

/**
 * The driver and the README of a template's files. The files in the root decide the driver: `berth.yaml` is for containers when any
 * resource is one, else for processes; `*.tf` is for Terraform.
 *
 * @throws invalid, naming `field`, for files with neither or both.
 */
export function outlineOfEntries(entries: readonly Pick<ArchiveEntry, 'path' | 'bytes'>[], field: string): ArchiveOutline {
  return { provisioner: driverOf(entries, field), readme: readmeOf(entries) };
}

function driverOf(entries: readonly Pick<ArchiveEntry, 'path' | 'bytes'>[], field: string): ProvisionerType {
  const outline = entries.find(({ path }) => path === BERTH_YAML);
  const isTerraform = entries.some(({ path }) => !path.includes('/') && /\.tf(?:\.json)?$/.test(path));
  if (outline !== undefined && isTerraform) {
    throw invalidField(field, 'has both a berth.yaml and *.tf files in its root: a template is for one driver');
  }
  if (outline !== undefined) return hasContainer(outline.bytes) ? 'container' : 'process';
  if (isTerraform) return 'terraform';
  throw invalidField(field, 'has neither a berth.yaml nor a *.tf file in its root, so it is not a template');
}

function readmeOf(entries: readonly Pick<ArchiveEntry, 'path' | 'bytes'>[]): string {
  const readme = entries.find(({ path }) => path === README);
  if (readme === undefined || readme.bytes.byteLength > README_BYTES) return '';
  // PostgreSQL cannot store NUL characters.
  return new TextDecoder().decode(readme.bytes).replaceAll('\0', '').replace(FRONT_MATTER, '');
}

function hasContainer(bytes: Uint8Array): boolean {
  const outline = Outline.safeParse(parsed(bytes));
  return outline.success && outline.data.resources.some(({ type }) => type === 'container');
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parse(new TextDecoder().decode(bytes), { maxAliasCount: 100 });
  } catch {
    return null;
  }
}
