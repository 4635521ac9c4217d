import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readModule, sensitiveValues, toTemplateVariables, variableFile } from './hcl.ts';

const base = await mkdtemp(join(tmpdir(), 'berth-hcl-'));
afterAll(() => rm(base, { recursive: true, force: true }));

async function read(files: Record<string, string>) {
  const folder = await mkdtemp(join(base, 'module-'));
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  return await readModule(folder);
}

describe('the variables of a template', () => {
  it('come in the order of files and lines, with everything that is said about them', async () => {
    const module = await read({
      'b.tf': 'variable "last" {}\n',
      'a.tf': `
# variable "not_one" {}
variable "zone" {
  description = <<-EOT
    Where the "machine" is
  EOT
  type = string
}
variable "cpus" { default = 2 }
variable "on" {
  type    = bool
  default = true
}
variable "password" {
  type      = string
  default   = "x-one"
  sensitive = true
}
variable "many" {
  type    = list(object({ name = string, size = optional(number, 3) }))
  default = [{ name = "a" }]
}
variable "nothing" { default = null }
variable bare { type = number }
`,
    });
    expect(
      toTemplateVariables(module, [{ name: 'cpus', value: '4' }]).map((v) => [
        v.name,
        v.type,
        v.default_value,
        v.value,
        v.required,
        v.sensitive,
      ]),
    ).toEqual([
      ['zone', 'string', '', '', true, false],
      ['cpus', 'string', '2', '4', false, false],
      ['on', 'bool', 'true', 'true', false, false],
      ['password', 'string', 'x-one', 'x-one', false, true],
      ['many', 'string', '[{"name":"a"}]', '[{"name":"a"}]', false, false],
      ['nothing', 'string', '', '', false, false],
      ['bare', 'number', '', '', true, false],
      ['last', 'string', '', '', true, false],
    ]);
    expect(module.variables[0]?.description).toBe('Where the "machine" is');
    expect(module.variables[4]?.type).toContain('list(object(');
    expect(sensitiveValues(module, [])).toEqual(['x-one']);
  });

  it('are read of JSON as well', async () => {
    const module = await read({
      'main.tf.json': JSON.stringify({
        variable: { one: { type: 'string' }, two: [{ default: 3 }] },
        data: { coder_parameter: { p: { name: 'P' } } },
        terraform: { backend: { s3: {} } },
      }),
    });
    expect(module.variables.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(module).toMatchObject({ hasBackend: true, requiredParameters: [{ label: 'p', name: 'P' }] });
  });

  it('are given to Terraform as what they are, unless the default holds', async () => {
    const module = await read({
      'main.tf':
        'variable "a" {}\nvariable "b" { default = 1 }\nvariable "c" { type = any }\nvariable "d" { default = null }\nvariable "e" { type = map(string) }\n',
    });
    const given = { a: '', b: '1', c: 'text', d: '', e: '{"x":"y"}', unknown: 'z' };
    const values = Object.entries(given).map(([name, value]) => ({ name, value }));
    expect(JSON.parse(variableFile(module, values))).toEqual({ a: '', c: 'text', e: { x: 'y' } });
    expect(() => variableFile(module, [{ name: 'e', value: 'x=y' }])).toThrow('The variable e is a map(string): its value must be JSON');
  });
});

it('a default is what Terraform would make of it', async () => {
  const { variables } = await read({
    'main.tf': String.raw`variable "a" { default = { text = ["$$" + "{x} %%" + "{y} \"q\"\n"] } }`.replaceAll('" + "', ''),
  });
  expect(variables[0]?.fallback).toEqual({ text: ['$' + '{x} %{y} "q"\n'] });
});

describe('a template’s files', () => {
  it('are refused by file, line and column when they are no HCL', async () => {
    await expect(read({ 'broken.tf': 'variable "x" {\n  type =\n}\n' })).rejects.toThrow(/^broken\.tf:2:\d+: Invalid expression/);
    await expect(read({ 'broken.tf.json': '{' })).rejects.toThrow(/^broken\.tf\.json: /);
  });

  it('must be there', async () => {
    await expect(read({ 'README.md': '' })).rejects.toThrow('has no *.tf file at its top');
    const folder = join(base, 'nested');
    await mkdir(join(folder, 'inner'), { recursive: true });
    await writeFile(join(folder, 'inner', 'main.tf'), '');
    await expect(readModule(folder)).rejects.toThrow('has no *.tf file');
  });

  it('may be empty, or say nothing of what is read here', async () => {
    expect(await read({ 'main.tf': '\n', 'other.tf': 'locals {\n  a = 1\n}\n' })).toEqual({
      variables: [],
      parameterLabels: [],
      requiredParameters: [],
      hasBackend: false,
    });
  });

  it('tell which parameters have no default, and the rest of them in order', async () => {
    const module = await read({
      'main.tf': `
data "coder_parameter" "second" {
  name = "Second"
  type = "number"
  validation {
    min = 3
    max = 5
  }
}
data "coder_parameter" "first" {
  name    = "First"
  default = "x"
}
data "coder_parameter" "computed" { name = local.name }
data "coder_parameter" "choice" {
  name = "Choice"
  option {
    name  = "A"
    value = "a"
  }
  option {
    name  = "B"
    value = "b"
  }
}
`,
    });
    expect(module.parameterLabels).toEqual(['second', 'first', 'computed', 'choice']);
    expect(module.requiredParameters).toMatchObject([
      { label: 'second', name: 'Second', type: 'number', validation: { min: 3, max: 5 } },
      { label: 'computed', name: undefined, type: 'string' },
      { label: 'choice', name: 'Choice', firstOption: 'a' },
    ]);
  });
});
