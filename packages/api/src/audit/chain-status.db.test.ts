import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';
import { auditRow, sealAll } from './testing/rows.ts';
import { noteVerification, verifyAuditChain } from './verify.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);
const organization = await rows.organization();
const api = callAsUser((await rows.user({ siteRoles: ['auditor'] })).id).audit;

beforeEach(async () => {
  await prisma.$executeRaw`TRUNCATE audit_logs, audit_pending, audit_chain_links, audit_counts, audit_verifications`;
});

async function writeRows(count: number) {
  const written = Array.from({ length: count }, () => auditRow());
  await prisma.auditLog.createMany({ data: written });
  return written;
}

describe('the status of the chain', () => {
  it('of an empty log has nothing', async () => {
    expect(await api.chainStatus()).toEqual({
      sealed: 0,
      sealed_at: null,
      last_sealed_id: null,
      last_sealed_time: null,
      head: '',
      waiting: 0,
      waiting_since: null,
      last_verification: null,
    });
  });

  it('tells what is sealed, what waits, and the head that the verification prints', async () => {
    const sealed = await writeRows(4);
    await sealAll(prisma);
    await writeRows(3);
    const status = await api.chainStatus();
    expect(status).toMatchObject({ sealed: 4, last_sealed_id: sealed.at(-1)?.id, waiting: 3, last_verification: null });
    for (const time of [status.sealed_at, status.last_sealed_time, status.waiting_since]) expect(time).toMatch(/Z$/);
    const verdict = await verifyAuditChain({ prisma });
    expect(verdict).toMatchObject({ ok: true, head: status.head });
    await noteVerification(prisma, verdict);
    expect((await api.chainStatus()).last_verification).toMatchObject({ ok: true, rows: 4, head: status.head, explanation: '' });
  });

  it('keeps what was wrong when somebody last looked', async () => {
    const [first] = await writeRows(2);
    await sealAll(prisma);
    await prisma.auditLog.update({ where: { id: first?.id ?? '' }, data: { ip: '192.0.2.9' } });
    await noteVerification(prisma, await verifyAuditChain({ prisma }));
    expect((await api.chainStatus()).last_verification).toMatchObject({
      ok: false,
      rows: 0,
      head: '',
      explanation: expect.stringContaining(first?.id ?? '?'),
    });
  });

  it('is for whoever may read some audit log, and for nobody else', async () => {
    const ofOrganization = await rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-auditor'] }] });
    await expect(callAsUser(ofOrganization.id).audit.chainStatus()).resolves.toMatchObject({ sealed: 0 });
    const member = callAsUser((await rows.user()).id).audit;
    await expect(member.chainStatus()).rejects.toThrow();
    await expect(member.verifyRecent({})).rejects.toThrow();
  });
});

describe('the newest part of the log', () => {
  it('is whole when nothing was touched, however little or much of it is asked for', async () => {
    expect(await api.verifyRecent({})).toEqual({ ok: true, rows: 0, first_position: 0, last_position: 0, problem: null });
    await writeRows(20);
    await sealAll(prisma);
    expect(await api.verifyRecent({ rows: '5' })).toEqual({ ok: true, rows: 5, first_position: 16, last_position: 20, problem: null });
    expect(await api.verifyRecent({ rows: '500' })).toMatchObject({ ok: true, rows: 20, first_position: 1, last_position: 20 });
  });

  it.each(['changed', 'removed'] as const)('security: names the row that was %s', async (kind) => {
    const written = await writeRows(10);
    await sealAll(prisma);
    const id = written[7]?.id ?? newId();
    if (kind === 'changed') await prisma.auditLog.update({ where: { id }, data: { userId: newId() } });
    else await prisma.auditLog.delete({ where: { id } });
    const verdict = await api.verifyRecent({ rows: '5' });
    expect(verdict).toMatchObject({ ok: false, rows: 2, problem: { kind, audit_log_id: id } });
    // What lies before the range is not looked at.
    expect(await api.verifyRecent({ rows: '2' })).toMatchObject({ ok: true, rows: 2 });
  });

  it('security: misses links that were cut off at its end', async () => {
    await writeRows(6);
    await sealAll(prisma);
    await prisma.auditChainLink.deleteMany({ where: { position: { gt: 4n } } });
    expect(await api.verifyRecent({})).toMatchObject({
      ok: false,
      problem: { kind: 'removed', explanation: expect.stringContaining('cut off') },
    });
  });
});
