import type { AuditSubject } from '../kernel/audit.ts';
import type { Client } from './client.ts';

/** The access of one application to one account, as the audit log names it. */
export function auditedGrant(client: Pick<Client, 'id' | 'name' | 'icon'>, familyId: string, userId: string): AuditSubject {
  return { resourceId: familyId, target: client.name, icon: client.icon, actorId: userId, additionalFields: { app_id: client.id } };
}
