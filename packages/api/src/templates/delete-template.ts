import { invalid, counted } from '@berth/core';
import { templateChannel } from '../kernel/channels.ts';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { trackedTemplate } from './audit.ts';
import type { TemplateInput } from './contract.ts';
import { holdTemplate } from './judged-template.ts';

/**
 * Deletes a template: it is on record, and nowhere else. Its name is free again. What is open on it ends.
 *
 * @throws invalid while it has workspaces that are not deleted, whoever may see them.
 */
export async function deleteTemplate(call: UserCall, input: TemplateInput): Promise<Confirmation> {
  const { db, services } = call;
  // From here on nobody makes a workspace from it: each refers to this row.
  const { template, object } = await holdTemplate(db, input.template);
  call.audit.set({ resourceId: template.id, target: template.name, icon: template.icon, organizationId: template.organizationId });
  call.authorize.require(object);
  const workspaces = await db.workspace.count({ where: { templateId: template.id, deleted: false } });
  if (workspaces > 0) {
    throw invalid(`The template still has ${counted(workspaces, 'workspace')}. Delete ${workspaces === 1 ? 'it' : 'them'} first.`);
  }
  await db.template.update({
    where: { id: template.id },
    data: { deleted: true, updatedAt: services.clock.now() },
    select: { id: true },
  });
  call.audit.update({ before: trackedTemplate(template) });
  await services.bus.publish(db, templateChannel, { template_id: template.id });
  return confirmed(`The template ${template.name} is deleted.`);
}
