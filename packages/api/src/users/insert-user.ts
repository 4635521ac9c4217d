import { conflict, newId } from '@berth/core';
import type { Tx } from '@berth/db';
import { isUniqueViolation } from '@berth/db';
import type { LoginType, UserStatus } from '@berth/domain';
import type { Services } from '../kernel/context.ts';
import { refuseTakenNames } from './new-user-rules.ts';
import type { UserRow } from './presenter.ts';
import { userSelect } from './presenter.ts';

export interface NewUser {
  /** Made here when absent. */
  readonly id?: string;
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly avatarUrl?: string;
  readonly loginType: LoginType;
  readonly status: UserStatus;
  /** argon2id; null for an account that signs in another way. */
  readonly passwordHash: string | null;
  /** Joined as a plain member, in this order. */
  readonly organizationIds: readonly string[];
  readonly siteRoles?: readonly string[];
  /** The id that an identity provider gave the account over SCIM. */
  readonly scimExternalId?: string | null;
}

/**
 * Writes the row of a new account with its memberships. The caller has checked the fields (`newUserProblems`) and the right to do so,
 * and records it. A used e-mail address, user name or SCIM id is a `conflict` that names the field, also when two requests race.
 */
export async function insertUser(db: Tx, services: Pick<Services, 'clock' | 'prisma'>, user: NewUser): Promise<UserRow> {
  await refuseTaken(db, user);
  const now = services.clock.now();
  try {
    return await db.user.create({
      data: {
        id: user.id ?? newId(),
        email: user.email,
        username: user.username,
        name: user.name,
        avatarUrl: user.avatarUrl ?? '',
        loginType: user.loginType,
        status: user.status,
        passwordHash: user.passwordHash,
        siteRoles: [...(user.siteRoles ?? [])],
        scimExternalId: user.scimExternalId ?? null,
        createdAt: now,
        updatedAt: now,
        memberships: {
          create: [...new Set(user.organizationIds)].map((organizationId) => ({ organizationId, createdAt: now, updatedAt: now })),
        },
      },
      select: userSelect,
    });
  } catch (error) {
    // Two requests for one name at the same time: the index decides, and the loser gets the same answer as a later one.
    if (isUniqueViolation(error)) await refuseTaken(services.prisma, user);
    throw error;
  }
}

async function refuseTaken(db: Tx, { email, username, scimExternalId = null }: NewUser): Promise<void> {
  await refuseTakenNames(db, { email, username });
  if (scimExternalId === null) return;
  const taken = await db.user.findFirst({ where: { scimExternalId, deleted: false }, select: { id: true } });
  if (taken === null) return;
  throw conflict('An account with this external id exists.', [{ field: 'externalId', detail: 'is already used by another account' }]);
}
