import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { terraformEnvironment } from './environment.ts';

const run = promisify(execFile);
const VERSION_MS = 20_000;

/** The oldest that writes the JSON that is read here. */
const OLDEST = [1, 1] as const;
/** From here on `graph` shows resources only, unless it is asked for the whole plan. */
const GRAPH_TYPE_SINCE = [1, 7] as const;

/** A Terraform or OpenTofu that can be run. */
export interface TerraformBinary {
  readonly path: string;
  readonly product: 'Terraform' | 'OpenTofu';
  readonly version: string;
  /** What makes `graph` show everything that a plan looks at. */
  readonly graphArguments: readonly string[];
}

export type FoundBinary = { readonly binary: TerraformBinary } | { readonly reason: string };

const Version = z.object({ terraform_version: z.string() });

/**
 * The program that `wanted` names, else `terraform`, else `tofu`, on the PATH of `env`; or a sentence that says why there is none.
 */
export async function findTerraform(env: NodeJS.ProcessEnv, wanted = ''): Promise<FoundBinary> {
  const names = wanted === '' ? ['terraform', 'tofu'] : [wanted];
  for (const name of names) {
    const path = await locate(name, env.PATH ?? '');
    if (path !== undefined) return await ask(path, env);
  }
  return { reason: `${names.join(' and ')} cannot be found: Terraform templates are not built here.` };
}

async function ask(path: string, env: NodeJS.ProcessEnv): Promise<FoundBinary> {
  try {
    const { stdout } = await run(path, ['version', '-json'], { env: terraformEnvironment(env), timeout: VERSION_MS });
    const { terraform_version: version } = Version.parse(JSON.parse(stdout));
    const product = await productOf(path, env);
    if (!isAtLeast(version, OLDEST)) {
      return {
        reason: `${path} is ${product} ${version}, and ${OLDEST.join('.')} is the oldest that works: Terraform templates are not built here.`,
      };
    }
    const graphArguments = product === 'OpenTofu' || isAtLeast(version, GRAPH_TYPE_SINCE) ? ['-type=plan'] : [];
    return { binary: { path, product, version, graphArguments } };
  } catch (error) {
    const said = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { reason: `${path} does not tell its version (${said}): Terraform templates are not built here.` };
  }
}

/** Only the words for people say which of both it is. */
async function productOf(path: string, env: NodeJS.ProcessEnv): Promise<TerraformBinary['product']> {
  const { stdout } = await run(path, ['version'], { env: terraformEnvironment(env), timeout: VERSION_MS });
  return stdout.startsWith('OpenTofu') ? 'OpenTofu' : 'Terraform';
}

async function locate(name: string, path: string): Promise<string | undefined> {
  const candidates = isAbsolute(name)
    ? [name]
    : path
        .split(delimiter)
        .filter(isAbsolute)
        .map((folder) => join(folder, name));
  for (const candidate of candidates) {
    const isThere = await access(candidate, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return candidate;
  }
  return undefined;
}

function isAtLeast(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ours = 0, its = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return ours > major || (ours === major && its >= minor);
}
