import { expect, it } from 'vitest';
import { NODE_MIN, nodeProblem } from './supported-node.ts';

it('an old Node is refused with the version that is needed, and a new one is not', () => {
  for (const old of ['12.22.12', '16.20.2', '18.20.8', '20.9.0', '20.18.3']) {
    expect(nodeProblem(old)).toBe(`berth needs Node 20.19 or newer; this is Node ${old}. Install a newer one: https://nodejs.org`);
  }
  for (const fine of ['20.19.0', '20.20.2', '21.0.0', '24.21.0', '100.0.0']) expect(nodeProblem(fine), fine).toBe('');
});

it('the documents name the same version as the check', async () => {
  const { cliDocument } = await import('./docs/cli-document.ts');
  expect(await cliDocument()).toContain(`Node ${NODE_MIN} and newer`);
});
