import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { testContext, testTerraform, withoutProvider } from '../../testing/terraform.ts';
import { readModule } from './hcl.ts';

/** Each runs a real Terraform a dozen times, and shares its processors with other tests. */
vi.setConfig({ testTimeout: 120_000 });

const TEMPLATES = join(import.meta.dirname, '../../../../../templates');
const names = (await readdir(TEMPLATES)).filter((name) => existsSync(join(TEMPLATES, name, 'main.tf')));

it('there is a starter for Terraform', () => {
  expect(names).toContain('terraform');
});

it.each(names)('the starter template %s describes itself, and every variable of it', async (name) => {
  const readme = await readFile(join(TEMPLATES, name, 'README.md'), 'utf8');
  expect(readme).toMatch(/^---\ndisplay_name: .+\ndescription: .+\nicon: \/icon\/\w+\.svg\n/);
  const module = await readModule(join(TEMPLATES, name));
  for (const variable of module.variables) expect(variable.description, variable.name).not.toBe('');
});

describe.skipIf(withoutProvider !== '')(`the starter template terraform${withoutProvider}`, async () => {
  const terraform = withoutProvider === '' ? await testTerraform() : undefined;
  afterAll(() => terraform?.remove());

  async function parse(value: string) {
    const directory = (await terraform?.template(join(TEMPLATES, 'terraform'))) ?? '';
    return await terraform?.driver.parse({ directory, variableValues: [{ name: 'run_on_this_host', value }] }, testContext());
  }

  it('has a machine with an agent while it runs, and a home that stays', async () => {
    const parsed = await parse('true');
    expect(parsed?.startResources.map(({ name, agents }) => [name, agents.map((agent) => agent.name)])).toEqual([
      ['home', []],
      ['workspace', ['main']],
    ]);
    expect(parsed?.stopResources.map(({ name }) => name)).toEqual(['home']);
    expect(parsed?.parameters.map(({ name }) => name)).toEqual(['port']);
  });

  it('does not hand the provisioner’s host to people before somebody said so', async () => {
    await expect(parse('false')).rejects.toThrow('Put a machine of your own in place');
    expect((await parse(''))?.variables).toEqual([expect.objectContaining({ name: 'run_on_this_host', required: true, value: '' })]);
  });
});
