import { DomainError } from '@berth/core';
import { SealError } from '@berth/core/sealer';
import type { Prisma, Tx } from '@berth/db';
import { userObject } from '@berth/rbac';
import type { z } from 'zod';
import type { AgentCall } from '../agents/agent-call.ts';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { sealedContext } from '../sealing/index.ts';
import { holdUser, requireCover, resolveUser } from '../users/index.ts';
import type { AgentGitSshKey, GitSshKey, GitSshKeyPath } from './contract.ts';
import { generateSshKey } from './openssh.ts';

const keySelect = {
  userId: true,
  publicKey: true,
  sealedPrivateKey: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.GitSshKeySelect;
type KeyRow = Prisma.GitSshKeyGetPayload<{ select: typeof keySelect }>;

interface Owner {
  readonly id: string;
  readonly username: string;
}

/** The public half of a user's key; makes the key when there is none yet. */
export async function getKey(call: UserCall, input: z.output<typeof GitSshKeyPath>): Promise<GitSshKey> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  return presentKey(await ensureKey(call, user));
}

/** Replaces a user's key. The former one is gone at once: git hosts have to be told the new public half. */
export async function regenerateKey(call: UserCall, input: z.output<typeof GitSshKeyPath>): Promise<GitSshKey> {
  const { services, db } = call;
  const user = await resolveUser(call, input.user);
  call.audit.set({ resourceId: user.id, target: user.username });
  call.authorize.require(userObject(user.id));
  await requireCover(call, user.id);
  await holdUser(db, user.id);
  const before = await db.gitSshKey.findUnique({ where: { userId: user.id }, select: keySelect });
  const columns = { ...(await newKeyColumns(services, user)), updatedAt: services.clock.now() };
  const after = await db.gitSshKey.upsert({
    where: { userId: user.id },
    create: { userId: user.id, ...columns, createdAt: services.clock.now() },
    update: columns,
    select: keySelect,
  });
  call.audit.update({ before: before === null ? {} : auditedKey(before, 'before'), after: auditedKey(after, 'after') });
  return presentKey(after);
}

/** Both halves of the workspace owner's key, for the owner's own agent and nobody else. */
export async function keyForAgent(call: AgentCall): Promise<AgentGitSshKey> {
  const owner = await call.db.user.findUniqueOrThrow({ where: { id: call.principal.ownerId }, select: { id: true, username: true } });
  const row = await ensureKey(call, owner);
  return { public_key: row.publicKey, private_key: openPrivateKey(call.services, row) };
}

/** Both halves of a user's key, for what acts as them. @throws unavailable when the stored key cannot be opened. */
export async function ownerKeyPair(services: Services, userId: string): Promise<{ publicKey: string; privateKey: string }> {
  const owner = await services.prisma.user.findUniqueOrThrow({
    where: { id: userId, deleted: false },
    select: { id: true, username: true },
  });
  const row = await ensureKey({ services, db: services.prisma }, owner);
  return { publicKey: row.publicKey, privateKey: openPrivateKey(services, row) };
}

/** The key of a user, made now if there is none. Of those who ask first at the same time, one makes it. */
async function ensureKey({ services, db }: { services: Services; db: Tx }, owner: Owner): Promise<KeyRow> {
  const where = { userId: owner.id };
  const known = await db.gitSshKey.findUnique({ where, select: keySelect });
  if (known !== null) return known;
  const now = services.clock.now();
  const made = { userId: owner.id, ...(await newKeyColumns(services, owner)), createdAt: now, updatedAt: now };
  // A read runs on the pool: an account that is deleted in between must not get a key back.
  await services.prisma.$transaction(async (tx) => {
    await holdUser(tx, owner.id);
    await tx.gitSshKey.createMany({ data: [made], skipDuplicates: true });
  });
  return db.gitSshKey.findUniqueOrThrow({ where, select: keySelect });
}

const contextOf = (userId: string): string => sealedContext('git_ssh_keys', 'sealed_private_key', [userId]);

async function newKeyColumns(
  { settings, sealer }: Pick<Services, 'settings' | 'sealer'>,
  { id, username }: Owner,
): Promise<Pick<KeyRow, 'publicKey' | 'sealedPrivateKey'>> {
  const { publicKey, privateKey } = await generateSshKey(`${username}@${new URL(settings.accessUrl).hostname}`);
  return { publicKey, sealedPrivateKey: sealer.seal(privateKey, contextOf(id)) };
}

function openPrivateKey({ sealer, log }: Services, { userId, sealedPrivateKey }: KeyRow): string {
  try {
    return sealer.open(sealedPrivateKey, contextOf(userId));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.error({ err: error, user_id: userId }, 'a stored git SSH key cannot be opened');
    throw new DomainError('unavailable', 'The stored key can no longer be read. Its owner has to make a new one.', { cause: error });
  }
}

/** The tracked state of a key. The private half shows only that it changed, so any two different texts stand for it. */
function auditedKey({ userId, publicKey }: KeyRow, mark: 'before' | 'after'): Record<string, unknown> {
  return { user_id: userId, public_key: publicKey, private_key: mark };
}

function presentKey({ userId, publicKey, createdAt, updatedAt }: KeyRow): GitSshKey {
  return { user_id: userId, public_key: publicKey, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() };
}
