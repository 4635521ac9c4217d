import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { capture } from './child.mjs';
import { at } from './paths.mjs';

const version = '2.19.0';
const architectures = { x64: 'amd64', arm64: 'arm64' };
const target = `${process.platform}_${architectures[process.arch] ?? process.arch}`;
const name = `terraform-provider-coder_v${version}`;

/** A folder that Terraform takes providers from; the tests of Terraform look for it there. */
const folder = at('node_modules/.cache/terraform-providers', 'registry.terraform.io/coder/coder', version, target);

const limitMs = 3 * 60_000;

/**
 * Brings the real provider for the tests of Terraform templates, where Go and its module proxy are at hand; once, since it is kept. Without
 * it those tests go by what was recorded. Answers a sentence for people, or nothing when there is nothing to say.
 */
export async function fetchCoderProvider() {
  if (existsSync(join(folder, name))) return undefined;
  const path = [process.env.PATH ?? '', '/usr/local/go/bin'].join(delimiter);
  const hasGo = path.split(delimiter).some((place) => existsSync(join(place, 'go')));
  if (!hasGo) return 'There is no Go here, so the tests of Terraform templates use recordings of the coder provider.';
  const draft = join(folder, `new-${process.pid}`);
  mkdirSync(draft, { recursive: true });
  const limit = AbortSignal.timeout(limitMs);
  const { code, output } = await capture('go', ['install', `github.com/coder/terraform-provider-coder/v2@v${version}`], {
    env: { PATH: path, GOBIN: draft, GOFLAGS: '-buildvcs=false' },
    signal: limit,
  });
  const [made] = existsSync(draft) ? readdirSync(draft) : [];
  if (code === 0 && made !== undefined) renameSync(join(draft, made), join(folder, name));
  rmSync(draft, { recursive: true, force: true });
  if (code === 0) return undefined;
  const why = limit.aborted ? 'that took too long' : (output.trim().split('\n').at(-1) ?? '');
  return `The coder provider could not be built (${why}), so the tests of Terraform templates use recordings of it.`;
}
