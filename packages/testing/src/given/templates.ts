import { newId } from '@berth/core';
import type { Organization, Prisma, PrismaClient, ProvisionerJob, Template, TemplateVersion, User } from '@berth/db';
import { givenOrganization, givenUser } from './identity.ts';
import type { GivenJobStatus } from './jobs.ts';
import { givenJob } from './jobs.ts';
import { uniqueName } from './words.ts';

export type GivenParameter = Omit<Prisma.TemplateVersionParameterUncheckedCreateWithoutTemplateVersionInput, 'type'> & {
  readonly type?: string;
};

export interface GivenVersion extends Partial<Prisma.TemplateVersionUncheckedCreateInput> {
  readonly organization?: Organization;
  readonly createdBy?: User;
  /** Status of the import; `succeeded` unless told otherwise. */
  readonly status?: GivenJobStatus;
  readonly richParameters?: readonly GivenParameter[];
  readonly job?: Partial<Prisma.ProvisionerJobUncheckedCreateInput>;
}

export interface VersionGiven {
  readonly organization: Organization;
  readonly createdBy: User;
  readonly job: ProvisionerJob;
  readonly version: TemplateVersion;
}

/** A template version with its finished import; attached to a template only if `templateId` is given. */
export async function givenVersion(
  prisma: PrismaClient,
  { organization, createdBy, status = 'succeeded', richParameters = [], job: jobOverrides = {}, ...overrides }: GivenVersion = {},
): Promise<VersionGiven> {
  const org = organization ?? (await givenOrganization(prisma));
  const author = createdBy ?? (await givenUser(prisma, { memberOf: [org.id] }));
  const job = await givenJob(prisma, { organizationId: org.id, initiatorId: author.id, status, ...jobOverrides });
  const version = await prisma.templateVersion.create({
    data: {
      id: newId(),
      name: uniqueName('version'),
      organizationId: org.id,
      createdById: author.id,
      jobId: job.id,
      ...overrides,
      parameters: {
        create: richParameters.map((parameter, index) => ({ type: 'string', displayOrder: index, ...parameter })),
      },
    },
  });
  return { organization: org, createdBy: author, job, version };
}

export interface GivenTemplate extends Partial<Prisma.TemplateUncheckedCreateInput> {
  readonly organization?: Organization;
  readonly createdBy?: User;
  readonly richParameters?: readonly GivenParameter[];
  /** Status of the active version's import. */
  readonly status?: GivenJobStatus;
}

export interface TemplateGiven extends VersionGiven {
  readonly template: Template;
}

/** A template that every member of its organization may use, with one active version. */
export async function givenTemplate(
  prisma: PrismaClient,
  { organization, createdBy, richParameters = [], status = 'succeeded', ...overrides }: GivenTemplate = {},
): Promise<TemplateGiven> {
  const made = await givenVersion(prisma, {
    richParameters,
    status,
    ...(organization === undefined ? {} : { organization }),
    ...(createdBy === undefined ? {} : { createdBy }),
  });
  const template = await prisma.template.create({
    data: {
      id: newId(),
      name: uniqueName('template'),
      organizationId: made.organization.id,
      createdById: made.createdBy.id,
      provisioner: 'process',
      activeVersionId: made.version.id,
      groupAcl: { [made.organization.id]: ['read'] },
      ...overrides,
    },
  });
  const version = await prisma.templateVersion.update({ where: { id: made.version.id }, data: { templateId: template.id } });
  return { ...made, template, version };
}
