import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findTerraform } from './binary.ts';

const base = await mkdtemp(join(tmpdir(), 'berth-binary-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function folder(programs: Record<string, { says: string; version: string }>): Promise<string> {
  const bin = await mkdtemp(join(base, 'bin-'));
  for (const [name, { says, version }] of Object.entries(programs)) {
    await writeFile(
      join(bin, name),
      `#!/bin/sh\n[ "$2" = -json ] && echo '{"terraform_version": "${version}"}' || echo '${says} v${version}'\n`,
    );
    await chmod(join(bin, name), 0o755);
  }
  return bin;
}

describe('the program that builds Terraform templates', () => {
  it('is terraform, else tofu, else whatever was named', async () => {
    const terraform = { says: 'Terraform', version: '1.11.4' };
    const tofu = { says: 'OpenTofu', version: '1.6.0' };
    const both = await folder({ terraform, tofu });
    const only = await folder({ tofu });
    expect(await findTerraform({ PATH: `/nowhere:${both}` })).toEqual({
      binary: { path: join(both, 'terraform'), product: 'Terraform', version: '1.11.4', graphArguments: ['-type=plan'] },
    });
    expect(await findTerraform({ PATH: only })).toMatchObject({ binary: { product: 'OpenTofu', graphArguments: ['-type=plan'] } });
    expect(await findTerraform({ PATH: both }, 'tofu')).toMatchObject({ binary: { product: 'OpenTofu' } });
    expect(await findTerraform({ PATH: '' }, join(only, 'tofu'))).toMatchObject({ binary: { product: 'OpenTofu' } });
  });

  it('may be old, but not too old', async () => {
    const old = await folder({ terraform: { says: 'Terraform', version: '1.1.0' } });
    expect(await findTerraform({ PATH: old })).toMatchObject({ binary: { graphArguments: [] } });
    const older = await folder({ terraform: { says: 'Terraform', version: '1.0.11' } });
    expect(await findTerraform({ PATH: older })).toEqual({
      reason: expect.stringMatching(/is Terraform 1\.0\.11, and 1\.1 is the oldest that works/),
    });
  });

  it('is missed in a sentence', async () => {
    expect(await findTerraform({ PATH: base })).toEqual({ reason: expect.stringContaining('terraform and tofu cannot be found') });
    expect(await findTerraform({ PATH: base }, '/nowhere/tf')).toEqual({ reason: expect.stringContaining('/nowhere/tf cannot be found') });
    const broken = await mkdtemp(join(base, 'bin-'));
    await writeFile(join(broken, 'terraform'), '#!/bin/sh\nexit 3\n');
    await chmod(join(broken, 'terraform'), 0o755);
    expect(await findTerraform({ PATH: broken })).toEqual({ reason: expect.stringContaining('does not tell its version') });
  });
});
