import { forbidden, invalidField, notFound } from '@berth/core';
import { jobStatus } from '@berth/domain';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { trackedTemplate } from './audit.ts';
import type { PromoteTemplateVersionInput } from './contract.ts';
import { holdTemplate } from './judged-template.ts';
import { tellWorkspaces } from './tell-workspaces.ts';

/**
 * Makes a version of the template its active one: new workspaces use it, and those on another version are outdated.
 *
 * @throws notFound for an unknown version; invalid for one of another template or an archived one; forbidden while its import has not
 * succeeded.
 */
export async function promoteTemplateVersion(call: UserCall, input: PromoteTemplateVersionInput): Promise<Confirmation> {
  const { db, services } = call;
  const { template, object } = await holdTemplate(db, input.template);
  call.audit.set({ resourceId: template.id, target: template.name, icon: template.icon, organizationId: template.organizationId });
  call.authorize.require(object);

  const version = await db.templateVersion.findFirst({
    where: { id: input.id, organizationId: template.organizationId },
    select: {
      id: true,
      templateId: true,
      archived: true,
      job: { select: { provisioner: true, startedAt: true, completedAt: true, canceledAt: true, error: true } },
    },
  });
  if (version === null) throw notFound();
  if (version.templateId !== template.id) throw invalidField('id', 'the version belongs to another template');
  if (jobStatus(version.job) !== 'succeeded') throw forbidden('Only a version whose import succeeded can be active.');
  if (version.archived) throw invalidField('id', 'the version is archived');

  const updated = await db.template.update({
    where: { id: template.id },
    data: { activeVersionId: version.id, provisioner: version.job.provisioner, updatedAt: services.clock.now() },
  });
  call.audit.update({ before: trackedTemplate(template), after: trackedTemplate(updated) });
  await tellWorkspaces(db, services, template.id);
  return confirmed('The version is active now.');
}
