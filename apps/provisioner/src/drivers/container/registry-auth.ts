import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const DockerConfig = z.object({ auths: z.record(z.string(), z.object({ auth: z.string().optional() })).optional() });
const HUB = 'https://index.docker.io/v1/';

/**
 * What `docker login` wrote down for the registry of an image, in the form that engines take; undefined when there is nothing, or only
 * a helper program that would have to be asked.
 */
export async function registryAuth(image: string, folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const parsed = DockerConfig.safeParse(await readConfig(join(folder, 'config.json')));
  if (!parsed.success) return undefined;
  const serveraddress = registryOf(image);
  const encoded = parsed.data.auths?.[serveraddress]?.auth;
  if (encoded === undefined || encoded === '') return undefined;
  const [, username, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (username === undefined || password === undefined) return undefined;
  return Buffer.from(JSON.stringify({ username, password, serveraddress })).toString('base64url');
}

/** The part before the first slash, if it looks like a host; else the hub. */
export function registryOf(image: string): string {
  const [first = '', ...rest] = image.split('/');
  return rest.length > 0 && (/[.:]/.test(first) || first === 'localhost') ? first : HUB;
}

async function readConfig(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
}
