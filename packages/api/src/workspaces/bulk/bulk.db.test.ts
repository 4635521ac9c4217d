import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi } from '../../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const make = given(prisma);
const organization = await make.organization();
const { template, version } = await make.template({ organization });

let ownerId: string;
beforeEach(async () => {
  ownerId = (await make.user({ memberOf: [organization.id] })).id;
});

const mine = async (overrides: Parameters<typeof make.workspace>[0] = {}) => {
  const owner = await prisma.user.findUniqueOrThrow({ where: { id: ownerId } });
  return (await make.workspace({ organization, template, owner, ...overrides })).workspace;
};
const bulk = (workspace_ids: string[], action: 'start' | 'stop' | 'delete' | 'update', dry_run?: boolean) =>
  callAsUser(ownerId).workspaces.bulk({ workspace_ids, action, ...(dry_run === undefined ? {} : { dry_run }) });
const buildsOf = (workspaceId: string) => prisma.workspaceBuild.findMany({ where: { workspaceId }, orderBy: { buildNumber: 'asc' } });
const auditOf = (resourceId: string) => prisma.auditLog.findMany({ where: { resourceId } });

describe('a bulk change', () => {
  test('answers each workspace for itself: one that is refused does not hold up the others', async () => {
    const running = await mine();
    const busy = await mine({ transition: 'start', status: 'running' });
    const stopped = await mine({ transition: 'stop' });
    const foreign = (await make.workspace({ organization, template })).workspace;
    const unknown = newId();
    const last = await mine();
    const { results } = await bulk([running.id, busy.id, stopped.id, foreign.id, unknown, last.id], 'stop');
    expect(results).toEqual([
      { workspace_id: running.id, status: 'ok', build_id: expect.any(String), error: null },
      { workspace_id: busy.id, status: 'refused', build_id: null, error: { kind: 'conflict', message: expect.any(String) } },
      { workspace_id: stopped.id, status: 'unchanged', build_id: null, error: null },
      { workspace_id: foreign.id, status: 'refused', build_id: null, error: { kind: 'not_found', message: expect.any(String) } },
      { workspace_id: unknown, status: 'refused', build_id: null, error: { kind: 'not_found', message: expect.any(String) } },
      { workspace_id: last.id, status: 'ok', build_id: expect.any(String), error: null },
    ]);
    expect((await buildsOf(running.id)).at(-1)).toMatchObject({ id: results[0]?.build_id, transition: 'stop', buildNumber: 2 });
    expect(await buildsOf(foreign.id)).toHaveLength(1);
    expect(await auditOf(busy.id)).toMatchObject([{ action: 'stop', statusCode: 409, userId: ownerId, diff: {} }]);
    // Rows about builds that were made are written when these end.
    expect(await auditOf(running.id)).toEqual([]);
  });

  test('starts, updates to the active version and deletes, each by the rules of one build', async () => {
    const stopped = await mine({ transition: 'stop' });
    const asleep = await mine({ transition: 'stop', dormantAt: new Date() });
    expect((await bulk([stopped.id, asleep.id], 'start')).results).toMatchObject([
      { status: 'ok' },
      { status: 'refused', error: { kind: 'forbidden', message: expect.stringContaining('dormant') } },
    ]);
    const old = await make.version({ organization, templateId: template.id });
    const current = await mine({ transition: 'stop' });
    const outdated = await mine({ transition: 'stop' });
    await make.build({ workspace: outdated, templateVersionId: old.version.id, transition: 'stop' });
    expect((await bulk([current.id, outdated.id], 'update')).results).toMatchObject([{ status: 'unchanged' }, { status: 'ok' }]);
    expect((await buildsOf(outdated.id)).at(-1)).toMatchObject({ transition: 'start', templateVersionId: version.id });
    expect((await bulk([current.id], 'delete')).results).toMatchObject([{ status: 'ok' }]);
    expect((await buildsOf(current.id)).at(-1)).toMatchObject({ transition: 'delete' });
  });

  test('as a dry run says what would happen to each, and makes nothing', async () => {
    await prisma.provisionerDaemon.deleteMany({ where: { organizationId: organization.id } });
    const running = await mine();
    const busy = await mine({ status: 'running' });
    const { results } = await bulk([running.id, busy.id], 'stop', true);
    expect(results).toMatchObject([
      { status: 'refused', error: { kind: 'unavailable' } },
      { status: 'refused', error: { kind: 'conflict' } },
    ]);
    for (const { id } of [running, busy]) {
      expect(await buildsOf(id)).toHaveLength(1);
      expect(await auditOf(id)).toEqual([]);
    }
  });

  test('takes one to a hundred workspaces, none of them twice', async () => {
    const id = newId();
    for (const ids of [[], [id, id.toUpperCase()], Array.from({ length: 101 }, () => newId())]) {
      await expect(bulk(ids, 'stop')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    }
  });

  test('of several at once for one workspace makes exactly one build', async () => {
    const running = await mine();
    const all = await Promise.all(Array.from({ length: 5 }, () => bulk([running.id], 'stop')));
    expect(all.flatMap(({ results }) => results.map(({ status }) => status)).toSorted()).toEqual(['ok', ...Array(4).fill('refused')]);
    expect(await buildsOf(running.id)).toHaveLength(2);
  });
});
