import { conflict, newId } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import type { DomainError } from '@berth/core';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { auditedProxy } from './audit.ts';
import type { CreateWorkspaceProxy, WorkspaceProxyWithToken } from './contract.ts';
import { presentProxy } from './presenter.ts';
import { createProxyRow, newProxyToken } from './proxy-rows.ts';

/** Creates a proxy and its credential, which is answered this once. */
export async function createProxy(call: UserCall, input: z.output<typeof CreateWorkspaceProxy>): Promise<WorkspaceProxyWithToken> {
  const id = newId();
  call.audit.set({ resourceId: id, target: input.name, icon: input.icon });
  call.authorize.require({ type: 'workspace_proxy' }, { sitewide: true });
  const { token, hashedSecret } = newProxyToken(id);
  const now = call.services.clock.now();
  try {
    const row = await createProxyRow(call.db, {
      id,
      name: input.name,
      displayName: input.display_name,
      icon: input.icon,
      hashedSecret,
      createdAt: now,
      updatedAt: now,
    });
    call.audit.update({ after: auditedProxy(row) });
    return { ...presentProxy(row), proxy_token: token };
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

export function nameTaken(): DomainError {
  return conflict('There is already a workspace proxy of this name.', [{ field: 'name', detail: 'Is already taken.' }]);
}
