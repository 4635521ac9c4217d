import type { Prisma, PrismaClient } from '@berth/db';
import type { GivenGrant, GivenIdentity } from './access.ts';
import { givenIdentity, givenOAuth2Grant } from './access.ts';
import type { GivenGroup, GivenOrganization, GivenUser } from './identity.ts';
import { givenGroup, givenOrganization, givenRole, givenUser } from './identity.ts';
import type { GivenJob } from './jobs.ts';
import { givenFile, givenJob } from './jobs.ts';
import type { GivenTemplate, GivenVersion } from './templates.ts';
import { givenTemplate, givenVersion } from './templates.ts';
import type { GivenAgent, GivenBuild, GivenWorkspace } from './workspaces.ts';
import { givenAgent, givenBuild, givenPortShare, givenShare, givenWorkspace } from './workspaces.ts';

export type * from './access.ts';
export type * from './identity.ts';
export type * from './jobs.ts';
export { GIVEN_JOB_STATUSES } from './jobs.ts';
export type * from './templates.ts';
export type * from './workspaces.ts';
export { uniqueName } from './words.ts';

/**
 * Factories that write rows straight through Prisma. Each builds the parents that a test does not care about and answers them too;
 * ids and names are random, so tests never meet each other's rows.
 */
export function given(prisma: PrismaClient) {
  return {
    organization: (overrides?: GivenOrganization) => givenOrganization(prisma, overrides),
    user: (overrides?: GivenUser) => givenUser(prisma, overrides),
    group: (overrides: GivenGroup) => givenGroup(prisma, overrides),
    identity: (overrides: GivenIdentity) => givenIdentity(prisma, overrides),
    oauth2Grant: (overrides: GivenGrant) => givenOAuth2Grant(prisma, overrides),
    role: (overrides?: Partial<Prisma.CustomRoleUncheckedCreateInput>) => givenRole(prisma, overrides),
    file: (overrides: Parameters<typeof givenFile>[1]) => givenFile(prisma, overrides),
    job: (overrides: GivenJob) => givenJob(prisma, overrides),
    version: (overrides?: GivenVersion) => givenVersion(prisma, overrides),
    template: (overrides?: GivenTemplate) => givenTemplate(prisma, overrides),
    workspace: (overrides?: GivenWorkspace) => givenWorkspace(prisma, overrides),
    build: (overrides: GivenBuild) => givenBuild(prisma, overrides),
    portShare: (overrides: Parameters<typeof givenPortShare>[1]) => givenPortShare(prisma, overrides),
    share: (overrides: Parameters<typeof givenShare>[1]) => givenShare(prisma, overrides),
    agent: (overrides: GivenAgent) => givenAgent(prisma, overrides),
  };
}
export type Given = ReturnType<typeof given>;
