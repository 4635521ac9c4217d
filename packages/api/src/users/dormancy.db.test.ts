import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { DORMANT_AFTER_MS, markUnseenDormant } from './dormancy.ts';

const { prisma, services, clock, keyOf } = await createTestApi();
const rows = given(prisma);
const now = clock.now().getTime();
const statusOf = async (id: string) => (await prisma.user.findUniqueOrThrow({ where: { id } })).status;
const auditOf = (resourceId: string) => prisma.auditLog.findMany({ where: { resourceId }, orderBy: { time: 'asc' } });

describe('an account that nobody uses', () => {
  it('is dormant after ninety days, counted from its last visit or else from its making', async () => {
    const [edge, past] = [new Date(now - DORMANT_AFTER_MS), new Date(now - DORMANT_AFTER_MS - 1)];
    const awake = [await rows.user({ lastSeenAt: edge, createdAt: past }), await rows.user({ createdAt: edge })];
    const asleep = [await rows.user({ lastSeenAt: past }), await rows.user({ createdAt: past })];
    const others = [await rows.user({ lastSeenAt: past, status: 'suspended' }), await rows.user({ lastSeenAt: past, deleted: true })];
    expect(await markUnseenDormant(services)).toBe(false);
    expect(await Promise.all(awake.map(({ id }) => statusOf(id)))).toEqual(['active', 'active']);
    expect(await Promise.all(asleep.map(({ id }) => statusOf(id)))).toEqual(['dormant', 'dormant']);
    expect(await Promise.all(others.map(({ id }) => statusOf(id)))).toEqual(['suspended', 'active']);
  });

  it('is recorded as falling asleep and as waking up by the next use of a key, as the work of nobody', async () => {
    const user = await rows.user({ lastSeenAt: new Date(now - DORMANT_AFTER_MS - 1) });
    const key = await keyOf(user.id);
    await markUnseenDormant(services);
    expect(await services.authenticator.byToken(key, '192.0.2.9')).toMatchObject({ userId: user.id });
    expect(await statusOf(user.id)).toBe('active');
    const background = {
      userId: null,
      action: 'write',
      resourceType: 'user',
      resourceTarget: user.username,
      statusCode: 200,
      userAgent: '',
      additionalFields: { automatic_actor: 'Berth', automatic_subsystem: 'dormancy' },
    };
    expect(await auditOf(user.id)).toMatchObject([
      { ...background, diff: { status: { old: 'active', new: 'dormant', secret: false } } },
      { ...background, diff: { status: { old: 'dormant', new: 'active', secret: false } } },
    ]);
    await markUnseenDormant(services);
    expect(await statusOf(user.id)).toBe('active');
  });

  it('wakes up once when several requests come at the same time', async () => {
    const user = await rows.user({ status: 'dormant' });
    const key = await keyOf(user.id);
    await Promise.all(Array.from({ length: 4 }, () => services.authenticator.byToken(key, '')));
    expect(await auditOf(user.id)).toHaveLength(1);
  });

  it('is found in bounded batches, by several servers at once, each account once', async () => {
    const past = new Date(now - DORMANT_AFTER_MS - 1);
    const users = await Promise.all(Array.from({ length: 105 }, () => rows.user({ lastSeenAt: past })));
    const turns = await Promise.all([markUnseenDormant(services), markUnseenDormant(services)]);
    expect(turns).toContain(true);
    while (await markUnseenDormant(services));
    const ids = users.map(({ id }) => id);
    expect(await prisma.user.count({ where: { id: { in: ids }, status: 'dormant' } })).toBe(105);
    expect(await prisma.auditLog.count({ where: { resourceId: { in: ids } } })).toBe(105);
  });
});
