import { invalidField } from '@berth/core';
import type { ProvisionerType } from '@berth/domain';
import { parse } from 'yaml';
import { z } from 'zod';
import type { ArchiveEntry } from '../files/tar.ts';
import { readTar } from '../files/tar.ts';

const BERTH_YAML = 'berth.yaml';

/** The little of a template that says for which driver it is. What else is wrong with it, its import says better. */
const Outline = z.object({ resources: z.array(z.object({ type: z.string().optional() })) });

/** The driver for a template's files: see `driverOfEntries`. @throws invalid also for what is no tar file. */
export async function driverOfTar(tar: Uint8Array, field: string): Promise<ProvisionerType> {
  return driverOfEntries(await readTar(tar, { keepBytes: (path) => path === BERTH_YAML }), field);
}

/**
 * The driver that the files of a template are for, by what lies in their root: `berth.yaml` is for containers when any resource is one,
 * else for processes; `*.tf` is for Terraform.
 *
 * @throws invalid, naming `field`, where there is neither or both.
 */
export function driverOfEntries(entries: readonly Pick<ArchiveEntry, 'path' | 'bytes'>[], field: string): ProvisionerType {
  const outline = entries.find(({ path }) => path === BERTH_YAML);
  const isTerraform = entries.some(({ path }) => !path.includes('/') && /\.tf(?:\.json)?$/.test(path));
  if (outline !== undefined && isTerraform) {
    throw invalidField(field, 'has both a berth.yaml and *.tf files in its root: a template is for one driver');
  }
  if (outline !== undefined) return hasContainer(outline.bytes) ? 'container' : 'process';
  if (isTerraform) return 'terraform';
  throw invalidField(field, 'has neither a berth.yaml nor a *.tf file in its root, so it is no template');
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
