import { describe, expect, it } from 'vitest';
import { stateProblem } from './states.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

const resource = { mode: 'managed', type: 'null_resource', name: 'a', provider: 'x', instances: [{ attributes: {} }] };
const terraform = {
  version: 4,
  terraform_version: '1.9.8',
  serial: 3,
  lineage: 'b2f1',
  outputs: {},
  resources: [resource],
  check_results: null,
};
const process = { version: 1, keeps_home: true };
const container = { version: 1, volumes: ['home'], containers: ['c0ffee'] };

describe('the state of a driver', () => {
  it('is what that driver writes, or nothing', () => {
    for (const driver of ['process', 'container', 'terraform'] as const) expect(stateProblem(driver, new Uint8Array())).toBeNull();
    expect(stateProblem('process', bytes(process))).toBeNull();
    expect(stateProblem('container', bytes(container))).toBeNull();
    expect(stateProblem('terraform', bytes(terraform))).toBeNull();
    expect(stateProblem('terraform', bytes({ ...terraform, resources: [] }))).toBeNull();
  });

  it.each([
    ['terraform', process, 'is not a state of the terraform driver: version must be 4; terraform_version is required; serial is required'],
    ['terraform', { ...terraform, version: 3 }, 'is not a state of the terraform driver: version must be 4'],
    ['terraform', { ...terraform, resources: [{ type: 'x' }] }, /resources\.0\.mode is required/],
    ['process', container, 'is not a state of the process driver: keeps_home is required'],
    ['container', process, 'is not a state of the container driver: volumes is required; containers is required'],
    ['process', '[]', 'is not a state of the process driver: it must be a JSON object'],
    ['process', 'not JSON', 'is not a state of the process driver: it must be a JSON object'],
  ] as const)('of %s is not %j', (driver, value, problem) => {
    expect(stateProblem(driver, bytes(value))).toMatch(problem);
  });

  it('is not bytes that are no UTF-8', () => {
    expect(stateProblem('terraform', new Uint8Array([0xff, 0xfe]))).toBe(
      'is not a state of the terraform driver: it must be a JSON object',
    );
  });
});
