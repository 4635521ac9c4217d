import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import {
  AclAvailableList,
  AvailableAclInput,
  CreateTemplateInput,
  DAUsResponse,
  DeleteTemplateOutput,
  InstallExampleInput,
  ListOrganizationTemplateExamplesInput,
  ListOrganizationTemplatesInput,
  ListTemplateExamplesInput,
  ListTemplatesInput,
  PolicyImpactInput,
  PromoteTemplateVersionInput,
  PromoteTemplateVersionOutput,
  Template,
  TemplateAcl,
  TemplateByNameInput,
  TemplateDausInput,
  TemplateExampleList,
  TemplateInput,
  TemplateList,
  TemplatePolicyImpact,
  TemplateUserList,
  UpdateTemplateAclInput,
  UpdateTemplateAclOutput,
  UpdateTemplateInput,
  routes,
} from './contract.ts';
import { createTemplate, installExample } from './create-template.ts';
import { deleteTemplate } from './delete-template.ts';
import { promoteTemplateVersion } from './promote-version.ts';
import { getTemplateAcl, listAclUsers, listAvailableAcl } from './read-acl.ts';
import {
  getTemplate,
  getTemplateByName,
  listExamples,
  listOrganizationExamples,
  listOrganizationTemplates,
  listTemplates,
} from './read-templates.ts';
import { templateDaus } from './settings/daus.ts';
import { templatePolicyImpact } from './settings/policy-impact.ts';
import { updateTemplate } from './settings/update-template.ts';
import { updateTemplateAcl } from './update-acl.ts';

export const templatesRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'template:read' })
    .input(ListTemplatesInput)
    .output(TemplateList)
    .query(({ ctx, input }) => listTemplates(ctx, input)),

  listByOrganization: userProcedure
    .meta({ ...routes.listByOrganization, permission: 'template:read' })
    .input(ListOrganizationTemplatesInput)
    .output(TemplateList)
    .query(({ ctx, input }) => listOrganizationTemplates(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'template:read' })
    .input(TemplateInput)
    .output(Template)
    .query(({ ctx, input }) => getTemplate(ctx, input)),

  getByName: userProcedure
    .meta({ ...routes.getByName, permission: 'template:read' })
    .input(TemplateByNameInput)
    .output(Template)
    .query(({ ctx, input }) => getTemplateByName(ctx, input)),

  create: userProcedure
    .meta({ ...routes.create, permission: 'template:create', audit: { resource: 'template', action: 'create' } })
    .input(CreateTemplateInput)
    .output(Template)
    .mutation(({ ctx, input }) => createTemplate(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'template:update', audit: { resource: 'template', action: 'write' } })
    .input(UpdateTemplateInput)
    .output(Template)
    .mutation(({ ctx, input }) => updateTemplate(ctx, input)),

  /** A mutation for its body alone. */
  policyImpact: userProcedure
    .meta({ ...routes.policyImpact, permission: 'template:update', audit: { none: 'it changes nothing' } })
    .input(PolicyImpactInput)
    .output(TemplatePolicyImpact)
    .mutation(({ ctx, input }) => templatePolicyImpact(ctx, input)),

  daus: userProcedure
    .meta({ ...routes.daus, permission: 'template:view_insights' })
    .input(TemplateDausInput)
    .output(DAUsResponse)
    .query(({ ctx, input }) => templateDaus(ctx, input)),

  promote: userProcedure
    .meta({ ...routes.promote, permission: 'template:update', audit: { resource: 'template', action: 'write' } })
    .input(PromoteTemplateVersionInput)
    .output(PromoteTemplateVersionOutput)
    .mutation(({ ctx, input }) => promoteTemplateVersion(ctx, input)),

  delete: userProcedure
    .meta({ ...routes.delete, permission: 'template:delete', audit: { resource: 'template', action: 'delete' } })
    .input(TemplateInput)
    .output(DeleteTemplateOutput)
    .mutation(({ ctx, input }) => deleteTemplate(ctx, input)),

  examples: userProcedure
    .meta({ ...routes.examples, permission: 'template:read' })
    .input(ListTemplateExamplesInput)
    .output(TemplateExampleList)
    .query(({ ctx }) => listExamples(ctx)),

  examplesByOrganization: userProcedure
    .meta({ ...routes.examplesByOrganization, permission: 'template:read' })
    .input(ListOrganizationTemplateExamplesInput)
    .output(TemplateExampleList)
    .query(({ ctx, input }) => listOrganizationExamples(ctx, input)),

  acl: userProcedure
    .meta({ ...routes.acl, permission: 'template:update' })
    .input(TemplateInput)
    .output(TemplateAcl)
    .query(({ ctx, input }) => getTemplateAcl(ctx, input)),

  aclUsers: userProcedure
    .meta({ ...routes.aclUsers, permission: 'template:update' })
    .input(TemplateInput)
    .output(TemplateUserList)
    .query(({ ctx, input }) => listAclUsers(ctx, input)),

  aclAvailable: userProcedure
    .meta({ ...routes.aclAvailable, permission: 'template:update' })
    .input(AvailableAclInput)
    .output(AclAvailableList)
    .query(({ ctx, input }) => listAvailableAcl(ctx, input)),

  updateAcl: userProcedure
    .meta({ ...routes.updateAcl, permission: 'template:update', audit: { resource: 'template', action: 'write' } })
    .input(UpdateTemplateAclInput)
    .output(UpdateTemplateAclOutput)
    .mutation(({ ctx, input }) => updateTemplateAcl(ctx, input)),

  /** For the dashboard's first start. */
  installExample: userProcedure
    .meta({ permission: 'template:create', audit: { resource: 'template', action: 'create' } })
    .input(InstallExampleInput)
    .output(Template)
    .mutation(({ ctx, input }) => installExample(ctx, input)),
});
