import type { ProcedureFacts } from '@berth/api/server';
import { procedureFacts } from '@berth/api/server';
import { ErrorBody } from '@berth/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../index.ts';
import { createFixture } from '../matrix/fixture.ts';
import { INPUTS } from '../matrix/inputs/index.ts';
import { tableCounts } from '../tables.ts';
import type { Attempt, Message } from './request.ts';
import { attempts, restMessage, rpcMessage } from './request.ts';
import { FUZZ } from './env.ts';

/**
 * Every procedure under hostile input, by the caller who may do the most. Whatever is sent: no internal error, every refusal in the
 * documented form, and nothing half done. fast-check prints the seed and the smallest attempt that fails.
 */
const server = await createTestServer();
const fixture = await createFixture(server);
const owner = await fixture.rows.user({ siteRoles: ['owner'], memberOf: [fixture.organization.id] });
const ownerKey = await server.keyOf(owner.id);
const things = [fixture.organization, fixture.elsewhere, fixture.holder, fixture.template, fixture.version, fixture.workspace];
const others = [fixture.build, fixture.agent, fixture.group, fixture.proxy, fixture.app];
const noIds = ['00000000-0000-0000-0000-000000000000', crypto.randomUUID()];
const ids = [...things.map(({ id }) => id), ...others.map(({ id }) => id), ...noIds];

/** Who may call it: the owner, but for what only agents and provisioners do. */
async function headersFor({ path }: ProcedureFacts): Promise<Record<string, string>> {
  if (path.startsWith('agentApi.')) return { 'service-session-token': fixture.agentToken };
  if (path.startsWith('provisionerApi.')) return { 'service-provisioner-key': server.services.settings.builtinProvisionerKey.reveal() };
  // It ends the session that it is called with.
  if (path === 'auth.logout') return { 'service-session-token': await server.keyOf(owner.id) };
  return { 'service-session-token': ownerKey };
}

async function inputFor({ path }: ProcedureFacts): Promise<Record<string, unknown>> {
  // SCIM knows one caller, who does not come by these doors: raw/scim-hostile.api.test.ts sends it hostile input.
  if (path === 'auth.logout' || path.startsWith('scim.')) return {};
  const input = INPUTS[path];
  if (input === undefined) throw new Error(`no input for ${path}`);
  return input(fixture);
}

interface Answer {
  readonly status: number;
  readonly requestId: string;
}

async function send(message: Message, headers: Record<string, string>, isRest: boolean): Promise<Answer> {
  const response = await server.app.inject({
    method: message.method,
    url: message.url,
    headers: { ...headers, 'content-type': 'application/json' },
    ...(message.payload === undefined ? {} : { payload: message.payload }),
  });
  const status = response.statusCode;
  const parsed: unknown = response.body === '' ? undefined : JSON.parse(response.body);
  const shown = `${message.method} ${message.url.slice(0, 300)} → ${status} ${response.body.slice(0, 600)}`;
  if (status >= 500 && status !== 503) throw new Error(shown);
  if (isRest) server.requireDocumented({ method: message.method, path: message.url.replace('/api/v2', ''), status, body: parsed });
  if (status >= 400) requireSoundRefusal(isRest ? parsed : refusalOfRpc(parsed), shown);
  return { status, requestId: String(response.headers['x-request-id']) };
}

function refusalOfRpc(body: unknown): unknown {
  const error = Reflect.get(Object(body), 'error');
  const data = Reflect.get(Object(error), 'data');
  return {
    message: Reflect.get(Object(error), 'message'),
    detail: Reflect.get(Object(data), 'detail'),
    validations: Reflect.get(Object(data), 'validations'),
  };
}

/** One entry for each bad field, with a reason. */
function requireSoundRefusal(body: unknown, shown: string): void {
  const refusal = ErrorBody.parse(body);
  if (refusal.message === '') throw new Error(`a refusal without a message: ${shown}`);
  const fields = refusal.validations.map(({ field }) => field);
  if (new Set(fields).size !== fields.length) throw new Error(`a field is named twice: ${shown}`);
  for (const { detail } of refusal.validations) if (detail === '') throw new Error(`a field without a reason: ${shown}`);
  if (refusal.message === 'Validation failed.' && fields.length === 0) throw new Error(`no field is named: ${shown}`);
}

/** A refusal leaves no row behind but those that record it; a recorded success is a success. */
async function requireNothingHalfDone(answers: readonly Answer[]): Promise<void> {
  const statuses = new Map(answers.map(({ requestId, status }) => [requestId, status]));
  const rows = await server.prisma.auditLog.findMany({
    where: { requestId: { in: [...statuses.keys()] } },
    select: { requestId: true, statusCode: true, diff: true },
  });
  for (const row of rows) {
    const status = statuses.get(row.requestId) ?? 0;
    // A success is recorded with REST's status on both doors.
    if (status >= 400) expect(row).toMatchObject({ statusCode: status, diff: {} });
    else expect(row.statusCode).toBeLessThan(400);
  }
}

async function fuzz(
  facts: ProcedureFacts,
  message: (input: Record<string, unknown>, attempt: Attempt) => Message,
  isRest: boolean,
): Promise<void> {
  const answers: Answer[] = [];
  const deadline = performance.now() + FUZZ.limitMs;
  await fc.assert(
    // What is deleted is made for it; everything else is there for the next attempt.
    fc.asyncProperty(attempts(facts, facts.path.includes('delete') ? noIds : ids), async (attempt) => {
      if (performance.now() > deadline && answers.length >= FUZZ.runsMin) return;
      const input = await inputFor(facts);
      const headers = await headersFor(facts);
      const before = facts.type === 'mutation' ? await tableCounts(server.prisma) : undefined;
      const answer = await send(message(input, attempt), headers, isRest);
      answers.push(answer);
      if (before !== undefined && answer.status >= 400) expect(await tableCounts(server.prisma)).toEqual(before);
    }),
    { seed: FUZZ.seed, numRuns: FUZZ.runs, includeErrorInReport: true },
  );
  await requireNothingHalfDone(answers);
}

// A stream answers before it reads on; its input is the same as that of the query beside it.
const procedures = procedureFacts().filter(({ type }) => type !== 'subscription');
const operations = procedures.flatMap((facts) => {
  const { openapi } = facts.meta;
  return openapi === undefined ? [] : [[`${openapi.method} ${openapi.path}`, { facts, openapi }] as const];
});

describe('under hostile input', () => {
  it.each(operations)('%s refuses or works, and never fails', async (_, { facts, openapi }) => {
    await fuzz(facts, (input, attempt) => restMessage(openapi, input, attempt), true);
  });

  it.each(procedures.map((facts) => [facts.path, facts] as const))('%s refuses or works over tRPC, and never fails', async (_, facts) => {
    await fuzz(facts, (input, attempt) => rpcMessage(facts, input, attempt), false);
  });
});
