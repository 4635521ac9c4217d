import { confirmed, type Confirmation } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { requestCancel } from '../provisioner-jobs/cancel.ts';
import type { TemplateVersionInput } from './contract.ts';
import { readVersion, versionObject } from './version-sql.ts';

/** Asks the import of a version to end. @throws invalid when it has ended or was asked to already. */
export async function cancelTemplateVersion(call: UserCall, input: TemplateVersionInput): Promise<Confirmation> {
  const row = await readVersion(call.db, call.services, input.templateversion);
  const { id, name, organization_id: organizationId } = row.version;
  call.audit.set({ resourceId: id, target: name, organizationId, additionalFields: { canceled: true } });
  call.authorize.require(versionObject(row));
  const status = await requestCancel(call, row.version.job.id);
  return confirmed(status === 'canceled' ? 'The import is canceled.' : 'The import is being canceled.');
}
