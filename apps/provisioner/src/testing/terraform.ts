import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { JobLogLevel } from '@berth/protocol';
import { findTerraform } from '../drivers/terraform/binary.ts';
import { TerraformDriver } from '../drivers/terraform/driver.ts';
import type { DriverContext, JobStage } from '../driver.ts';
import { hostEnvironment } from '../env.ts';

/** Where `npm test` puts the provider; see scripts/launcher/coder-provider.mjs. */
export const MIRROR = join(import.meta.dirname, '../../../../node_modules/.cache/terraform-providers');
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const PROVIDER = join(
  MIRROR,
  'registry.terraform.io/coder/coder/2.19.0',
  `${platform()}_${ARCHITECTURES[arch()] ?? arch()}`,
  'terraform-provider-coder_v2.19.0',
);

const found = await findTerraform(hostEnvironment());

/** Why a test with a real Terraform cannot run here; empty when it can. */
export const withoutTerraform = 'reason' in found ? ` (skipped: ${found.reason})` : '';
/** The same for tests that need the real provider as well, which is kept under Terraform's name of its registry. */
export const withoutProvider =
  withoutTerraform !== '' || (existsSync(PROVIDER) && 'binary' in found && found.binary.product === 'Terraform')
    ? withoutTerraform
    : ' (skipped: no coder provider for Terraform; `npm test` builds it where there is Go)';

export interface TestTerraform {
  readonly driver: TerraformDriver;
  readonly dataDir: string;
  /** A template in a folder of its own, as the runner would unpack it. */
  template(files: Readonly<Record<string, string>> | string): Promise<string>;
  /** Another daemon on the same folder. */
  again(): TerraformDriver;
  remove(): Promise<void>;
}

/** A driver on a folder of its own that takes providers from nowhere but what is there. */
export async function testTerraform(
  options: { base?: string; interruptGraceMs?: number; environment?: Record<string, string> } = {},
): Promise<TestTerraform> {
  if ('reason' in found) throw new Error(found.reason);
  const { binary } = found;
  const base = options.base ?? (await mkdtemp(join(tmpdir(), 'berth-terraform-')));
  const config = join(base, 'terraform.rc');
  await mkdir(MIRROR, { recursive: true });
  await writeFile(config, `provider_installation {\n  filesystem_mirror {\n    path = ${JSON.stringify(MIRROR)}\n  }\n}\n`);
  const dataDir = join(base, 'data');
  const make = () =>
    new TerraformDriver({
      binary,
      dataDir,
      serverUrl: 'http://127.0.0.1:3000',
      environment: { ...hostEnvironment(), TF_CLI_CONFIG_FILE: config, ...options.environment },
      log: () => {},
      interruptGraceMs: options.interruptGraceMs ?? 10_000,
    });
  let count = 0;
  return {
    driver: make(),
    dataDir,
    again: make,
    template: async (files) => {
      const folder = join(base, `template-${(count += 1)}`);
      await mkdir(folder);
      if (typeof files === 'string') {
        await cp(files, folder, { recursive: true });
      } else {
        for (const [name, content] of Object.entries(files)) {
          await mkdir(dirname(join(folder, name)), { recursive: true });
          await writeFile(join(folder, name), content);
        }
      }
      return folder;
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** What a driver logs, the stages it enters besides those of the job runner, and when it is to stop. */
export function testContext(signal: AbortSignal = new AbortController().signal): DriverContext & {
  readonly lines: [JobLogLevel, string][];
  readonly stages: JobStage[];
} {
  const lines: [JobLogLevel, string][] = [];
  const stages: JobStage[] = [];
  const context: DriverContext = {
    signal,
    log: (level, output) => void lines.push([level, output]),
    inStage: (stage, work) => {
      stages.push(stage);
      return work(context);
    },
  };
  return { ...context, lines, stages };
}
