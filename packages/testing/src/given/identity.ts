import { newId } from '@berth/core';
import type { CustomRole, Group, Organization, Prisma, PrismaClient, User } from '@berth/db';
import { uniqueName } from './words.ts';

export type GivenOrganization = Partial<Prisma.OrganizationUncheckedCreateInput>;

/** An organization with its Everyone group, as the product makes them. */
export async function givenOrganization(prisma: PrismaClient, overrides: GivenOrganization = {}): Promise<Organization> {
  const name = overrides.name ?? uniqueName('org');
  const organization = await prisma.organization.create({ data: { id: newId(), name, displayName: name, ...overrides } });
  await prisma.group.create({ data: { id: organization.id, organizationId: organization.id, name: 'Everyone' } });
  return organization;
}

export interface GivenUser extends Partial<Prisma.UserUncheckedCreateInput> {
  /** The organizations that the user joins: ids, or rows with roles. */
  readonly memberOf?: readonly (string | { readonly organizationId: string; readonly roles?: readonly string[] })[];
}

/** An active user who signs in by password (without one), a member of `memberOf`. */
export async function givenUser(prisma: PrismaClient, { memberOf = [], ...overrides }: GivenUser = {}): Promise<User> {
  const username = overrides.username ?? uniqueName('user');
  return prisma.user.create({
    data: {
      id: newId(),
      username,
      email: `${username}@example.com`,
      loginType: 'password',
      status: 'active',
      ...overrides,
      memberships: {
        create: memberOf.map((entry) =>
          typeof entry === 'string' ? { organizationId: entry } : { organizationId: entry.organizationId, roles: [...(entry.roles ?? [])] },
        ),
      },
    },
  });
}

export interface GivenGroup extends Partial<Prisma.GroupUncheckedCreateInput> {
  readonly organizationId: string;
  readonly memberIds?: readonly string[];
}

export async function givenGroup(prisma: PrismaClient, { memberIds = [], ...overrides }: GivenGroup): Promise<Group> {
  return prisma.group.create({
    data: {
      id: newId(),
      name: uniqueName('group'),
      ...overrides,
      members: { create: memberIds.map((userId) => ({ userId })) },
    },
  });
}

/** A custom role, of the site unless an organization is given, that grants nothing unless told to. */
export async function givenRole(prisma: PrismaClient, overrides: Partial<Prisma.CustomRoleUncheckedCreateInput> = {}): Promise<CustomRole> {
  return prisma.customRole.create({ data: { id: newId(), name: uniqueName('role'), ...overrides } });
}
