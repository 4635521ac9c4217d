import { invalid, notFound } from '@berth/core';
import { Prisma } from '@berth/db';
import type { TemplateSearch } from '@berth/domain';
import { TEMPLATE_SEARCH, parseSearch } from '@berth/domain';
import { organizationObject, templateObject } from '@berth/rbac';
import type { UserCall } from '../kernel/procedures.ts';
import { scopeSql } from '../kernel/scope-sql.ts';
import { findOrganization, resolveOrganization } from '../organizations/index.ts';
import { readUnservedReasons } from '../provisioner-jobs/coverage-sql.ts';
import type {
  ListOrganizationTemplateExamplesInput,
  ListOrganizationTemplatesInput,
  ListTemplatesInput,
  Template,
  TemplateByNameInput,
  TemplateExample,
  TemplateInput,
} from './contract.ts';
import { presentExample, readExamples } from './examples.ts';
import { readTemplate, readTemplates, templateObjectOf } from './template-sql.ts';

/** The templates that the caller may read and that `q` asks for: most used first, then by name. */
export async function listTemplates(call: UserCall, input: ListTemplatesInput): Promise<Template[]> {
  return list(call, input, null);
}

/** The same within one organization, whatever `q` says of organizations. @throws notFound for an organization the caller cannot read. */
export async function listOrganizationTemplates(call: UserCall, input: ListOrganizationTemplatesInput): Promise<Template[]> {
  const organization = await resolveOrganization(call, input.organization);
  if (!call.authorize.can('read', organizationObject(organization.id))) throw notFound();
  return list(call, input, organization.id);
}

async function list(call: UserCall, input: ListTemplatesInput, organizationId: string | null): Promise<Template[]> {
  const parsed = parseSearch(input.q ?? '', TEMPLATE_SEARCH);
  if (!parsed.ok) throw invalid('The search query is invalid.', parsed.problems);
  const wanted = await searchSql(call, parsed.search);
  const readable = scopeSql(call.authorize.scope(), {
    id: Prisma.sql`t.id`,
    organization: Prisma.sql`t.organization_id`,
    userAcl: Prisma.sql`t.user_acl`,
    groupAcl: Prisma.sql`t.group_acl`,
  });
  const within = organizationId === null ? Prisma.empty : Prisma.sql`AND t.organization_id = ${organizationId}::uuid`;
  const rows = await readTemplates(
    call.db,
    call.services,
    Prisma.sql`WHERE ${readable} AND ${wanted} ${within}
      ORDER BY active.users DESC, t.name, t.id LIMIT ${input.limit} OFFSET ${input.offset}`,
  );
  return rows.map((row) => row.template);
}

async function searchSql(call: UserCall, search: TemplateSearch): Promise<Prisma.Sql> {
  const conditions = [Prisma.sql`t.deleted = ${search.deleted ?? false}`];
  if (search.name !== undefined) conditions.push(Prisma.sql`strpos(lower(t.name), lower(${search.name})) > 0`);
  if (search.exactName !== undefined) conditions.push(Prisma.sql`lower(t.name) = lower(${search.exactName})`);
  if (search.ids !== undefined) conditions.push(Prisma.sql`t.id = ANY (${[...search.ids]}::uuid[])`);
  if (search.deprecated !== undefined) conditions.push(Prisma.sql`(t.deprecation_message <> '') = ${search.deprecated}`);
  if (search.organization !== undefined) {
    const organization = await findOrganization(call.db, search.organization);
    if (organization === null || !call.authorize.can('read', organizationObject(organization.id))) {
      throw invalid('The search query is invalid.', [{ field: 'organization', detail: 'There is no such organization.' }]);
    }
    conditions.push(Prisma.sql`t.organization_id = ${organization.id}::uuid`);
  }
  return Prisma.join(conditions, ' AND ');
}

export async function getTemplate(call: UserCall, input: TemplateInput): Promise<Template> {
  const row = await readTemplate(call.db, call.services, Prisma.sql`t.id = ${input.template}::uuid`);
  call.authorize.require(templateObjectOf(row));
  return row.template;
}

/** A template by its name, in any case. */
export async function getTemplateByName(call: UserCall, input: TemplateByNameInput): Promise<Template> {
  const organization = await resolveOrganization(call, input.organization);
  const row = await readTemplate(
    call.db,
    call.services,
    Prisma.sql`t.organization_id = ${organization.id}::uuid AND lower(t.name) = lower(${input.templatename})`,
  );
  call.authorize.require(templateObjectOf(row));
  return row.template;
}

/** The starter templates, for those who may read the templates of some organization. */
export async function listExamples(call: UserCall): Promise<TemplateExample[]> {
  call.authorize.require({ type: 'template', anyOrganization: true });
  return presentAll(call, null);
}

export async function listOrganizationExamples(call: UserCall, input: ListOrganizationTemplateExamplesInput): Promise<TemplateExample[]> {
  const organization = await resolveOrganization(call, input.organization);
  call.authorize.require(templateObject({ organizationId: organization.id }));
  return presentAll(call, organization.id);
}

async function presentAll({ db, services }: UserCall, organizationId: string | null): Promise<TemplateExample[]> {
  const [examples, unserved] = await Promise.all([readExamples(services), readUnservedReasons({ db, services }, organizationId)]);
  return examples.map((example) => presentExample(services, example, unserved));
}
