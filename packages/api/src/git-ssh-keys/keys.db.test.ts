import { createSealer, newSealingKey } from '@berth/core/sealer';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../kernel/context.ts';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAs, callAsUser } = await createTestApi();
const rows = given(prisma);

/** An agent of a workspace of this user. */
async function agentOf(ownerId: string): Promise<ReturnType<typeof callAs>['agentApi']> {
  const owner = await prisma.user.findUniqueOrThrow({ where: { id: ownerId } });
  const { workspace, build, job } = await rows.workspace({ owner });
  const { agent } = await rows.agent({ jobId: job.id });
  const principal: Principal = { kind: 'agent', agentId: agent.id, workspaceId: workspace.id, buildId: build.id, ownerId };
  return callAs(principal).agentApi;
}

describe('a git SSH key', () => {
  it('is made when it is first asked for, and stays', async () => {
    const user = await rows.user();
    const { gitSshKeys } = callAsUser(user.id);
    const key = await gitSshKeys.get({ user: 'me' });
    expect(key).toMatchObject({
      user_id: user.id,
      public_key: expect.stringMatching(`^ssh-ed25519 AAAA\\S+ ${user.username}@berth\\.test$`),
    });
    expect(await gitSshKeys.get({ user: user.username })).toEqual(key);
  });

  it('is one key for all who ask first at the same time', async () => {
    const user = await rows.user();
    const agent = await agentOf(user.id);
    const asked = [1, 2, 3].flatMap(() => [callAsUser(user.id).gitSshKeys.get({ user: 'me' }), agent.gitSshKey({})]);
    expect(new Set((await Promise.all(asked)).map(({ public_key }) => public_key)).size).toBe(1);
  });

  it('reaches the agents of its user whole: both halves fit', async () => {
    const user = await rows.user();
    const { public_key, private_key } = await (await agentOf(user.id)).gitSshKey({});
    const blob = Buffer.from(private_key.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
    expect(blob.includes(Buffer.from(public_key.split(' ')[1] ?? '', 'base64'))).toBe(true);
  });

  it('is replaced with a record that tells neither half that is secret', async () => {
    const user = await rows.user();
    const { gitSshKeys } = callAsUser(user.id);
    const before = await gitSshKeys.get({ user: 'me' });
    const after = await gitSshKeys.regenerate({ user: 'me' });
    expect(after.public_key).not.toBe(before.public_key);
    expect(after.created_at).toBe(before.created_at);
    const agent = await agentOf(user.id);
    expect((await agent.gitSshKey({})).public_key).toBe(after.public_key);
    const audit = await prisma.auditLog.findFirstOrThrow({ where: { resourceType: 'git_ssh_key', userId: user.id } });
    expect(audit).toMatchObject({ action: 'write', statusCode: 200, resourceTarget: user.username });
    expect(audit.diff).toEqual({
      public_key: { old: before.public_key, new: after.public_key, secret: false },
      private_key: { old: '', new: '', secret: true },
    });
  });
});

describe('security: private keys', () => {
  it('are on no door but the user’s own agents’, and not as they are in the database', async () => {
    const user = await rows.user();
    const { gitSshKeys } = callAsUser(user.id);
    const answers = [await gitSshKeys.get({ user: 'me' }), await gitSshKeys.regenerate({ user: 'me' })];
    expect(JSON.stringify(answers)).not.toMatch(/private/i);
    const { sealedPrivateKey } = await prisma.gitSshKey.findUniqueOrThrow({ where: { userId: user.id } });
    expect(Buffer.from(sealedPrivateKey).toString('latin1')).not.toMatch(/OPENSSH|ssh-ed25519/);
  });

  it('of one user do not open in the row of another', async () => {
    const [one, two] = await Promise.all([rows.user(), rows.user()]);
    for (const { id } of [one, two]) await callAsUser(id).gitSshKeys.get({ user: 'me' });
    const { sealedPrivateKey } = await prisma.gitSshKey.findUniqueOrThrow({ where: { userId: one.id } });
    await prisma.gitSshKey.update({ where: { userId: two.id }, data: { sealedPrivateKey } });
    await expect((await agentOf(two.id)).gitSshKey({})).rejects.toMatchObject({ cause: { kind: 'unavailable' } });
  });

  it('whose sealing key is gone can be replaced, so that nobody is locked out', async () => {
    const user = await rows.user();
    const sealed = createSealer([newSealingKey()]).seal('x', 'elsewhere');
    await prisma.gitSshKey.create({ data: { userId: user.id, publicKey: 'ssh-ed25519 AAAA lost', sealedPrivateKey: sealed } });
    const agent = await agentOf(user.id);
    await expect(agent.gitSshKey({})).rejects.toMatchObject({ cause: { kind: 'unavailable' } });
    await callAsUser(user.id).gitSshKeys.regenerate({ user: 'me' });
    expect((await agent.gitSshKey({})).private_key).toContain('OPENSSH PRIVATE KEY');
  });

  it('are not replaced by somebody with fewer rights than their user', async () => {
    const [owner, userAdmin, plain] = await Promise.all([
      rows.user({ siteRoles: ['owner'] }),
      rows.user({ siteRoles: ['user-admin'] }),
      rows.user(),
    ]);
    const { gitSshKeys } = callAsUser(userAdmin.id);
    await expect(gitSshKeys.regenerate({ user: owner.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await gitSshKeys.regenerate({ user: plain.id })).user_id).toBe(plain.id);
    await expect(callAsUser(plain.id).gitSshKeys.get({ user: owner.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
