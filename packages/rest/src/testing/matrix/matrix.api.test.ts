import { procedureFacts } from '@berth/api/server';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../index.ts';
import { outcomesOverBothDoors } from './call.ts';
import { EXPECTATIONS } from './expectations.ts';
import { EXTERNAL_AUTH, createFixture } from './fixture.ts';
import { ELSEWHERE, INPUTS } from './inputs/index.ts';
import { PRINCIPALS, credentialsFor } from './principals.ts';

/**
 * Every operation as every kind of caller, over REST and over tRPC. The expectation is a reviewed table, one row per procedure:
 * a new procedure without a row fails, and so does a row without a procedure.
 */
const server = await createTestServer({ settings: { externalAuth: EXTERNAL_AUTH } });
const fixture = await createFixture(server);
const credentials = await credentialsFor(server, fixture);
const procedures = procedureFacts();

describe('the matrix of roles and operations', () => {
  it('has a reviewed row for every procedure and for nothing else', () => {
    const known = procedures.map(({ path }) => path).filter((path) => !(path in ELSEWHERE));
    expect(Object.keys(EXPECTATIONS).toSorted()).toEqual(known.toSorted());
    expect(Object.keys(INPUTS).toSorted()).toEqual(known.toSorted());
  });

  for (const facts of procedures) {
    if (facts.path in ELSEWHERE) continue;
    it(`answers ${facts.path} to each caller as reviewed, the same on both doors`, async () => {
      const input = INPUTS[facts.path];
      if (input === undefined) throw new Error('no input');
      const actual: string[] = [];
      for (const principal of PRINCIPALS) {
        const { rpc, rest } = await outcomesOverBothDoors(server, facts, { headers: credentials[principal], input: () => input(fixture) });
        expect(rest ?? rpc, `${principal} over REST`).toBe(rpc);
        actual.push(rpc);
      }
      const expected = EXPECTATIONS[facts.path]?.split(/\s+/);
      const name = (outcomes: readonly string[]): string[] => PRINCIPALS.map((principal, column) => `${principal} ${outcomes[column]}`);
      expect(name(actual)).toEqual(name(expected ?? []));
    });
  }
});
