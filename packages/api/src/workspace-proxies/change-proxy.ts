import { invalid, invalidField, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import { nameProblem, PRIMARY_PROXY_NAME } from '@berth/domain';
import type { z } from 'zod';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { auditedProxy } from './audit.ts';
import type { UpdateWorkspaceProxy, WorkspaceProxyWithToken } from './contract.ts';
import { nameTaken } from './create-proxy.ts';
import { presentPrimaryProxy, presentProxy } from './presenter.ts';
import type { ProxyRow } from './proxy-rows.ts';
import { findProxy, isPrimary, loadPrimaryProxy, newProxyToken, savePrimaryProxy, updateProxyRow } from './proxy-rows.ts';

type Changes = z.output<typeof UpdateWorkspaceProxy>;

/** Changes what is given and leaves the rest. A new token makes the former one useless at once. */
export async function updateProxy(call: UserCall, input: Changes): Promise<WorkspaceProxyWithToken> {
  if (isPrimary(call.services, input.workspaceproxy)) return await updatePrimary(call, input);
  const before = await loadForChange(call, input.workspaceproxy);
  if (input.id !== undefined && input.id.toLowerCase() !== before.id) throw invalidField('id', 'Is not the id of this proxy.');
  const problem = input.name === undefined ? null : nameProblem('proxy_name', input.name);
  if (problem !== null) throw invalidField('name', problem);
  const made = input.regenerate_token ? newProxyToken(before.id) : null;
  try {
    const row = await updateProxyRow(call.db, before.id, {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.display_name === undefined ? {} : { displayName: input.display_name }),
      ...(input.icon === undefined ? {} : { icon: input.icon }),
      ...(made === null ? {} : { hashedSecret: made.hashedSecret }),
      updatedAt: call.services.clock.now(),
    });
    call.audit.update({ target: row.name, icon: row.icon, before: auditedProxy(before), after: auditedProxy(row) });
    return { ...presentProxy(row), ...(made === null ? {} : { proxy_token: made.token }) };
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** Deletes a proxy: its name becomes free, its token useless. */
export async function deleteProxy(call: UserCall, input: { workspaceproxy: string }): Promise<Confirmation> {
  if (isPrimary(call.services, input.workspaceproxy)) {
    call.audit.set({ resourceId: call.services.settings.deploymentId, target: PRIMARY_PROXY_NAME });
    call.authorize.require({ type: 'workspace_proxy' }, { sitewide: true });
    throw invalid('The primary proxy is the server itself and cannot be deleted.');
  }
  const row = await loadForChange(call, input.workspaceproxy);
  await updateProxyRow(call.db, row.id, { deleted: true, updatedAt: call.services.clock.now() });
  call.audit.update({ before: auditedProxy(row) });
  return confirmed(`The workspace proxy ${row.name} is deleted.`);
}

async function loadForChange(call: UserCall, param: string): Promise<ProxyRow> {
  const row = await findProxy(call.db, param);
  if (row !== null) call.audit.set({ resourceId: row.id, target: row.name, icon: row.icon });
  // Everyone may know the proxies, so a refusal comes before "not found" and is plain.
  call.authorize.require({ type: 'workspace_proxy', id: row?.id ?? null }, { sitewide: true });
  if (row === null) throw notFound();
  return row;
}

/** The server itself: only what it is called and shown as can be changed. */
async function updatePrimary(call: UserCall, input: Changes): Promise<WorkspaceProxyWithToken> {
  const { services, db } = call;
  const before = await loadPrimaryProxy(db, services);
  call.audit.set({ resourceId: before.id, target: PRIMARY_PROXY_NAME, icon: before.icon });
  call.authorize.require({ type: 'workspace_proxy', id: before.id }, { sitewide: true });
  if (input.id !== undefined && input.id.toLowerCase() !== before.id) throw invalidField('id', 'Is not the id of this proxy.');
  if (input.name !== undefined && input.name !== PRIMARY_PROXY_NAME) throw invalidField('name', 'The primary proxy cannot be renamed.');
  if (input.regenerate_token) throw invalidField('regenerate_token', 'The primary proxy is the server itself and has no token.');
  if (input.display_name === undefined && input.icon === undefined) {
    throw invalid('There is nothing to change: give display_name or icon.', [
      { field: 'display_name', detail: 'Give this or icon.' },
      { field: 'icon', detail: 'Give this or display_name.' },
    ]);
  }
  await savePrimaryProxy(db, { displayName: input.display_name, icon: input.icon });
  const after = await loadPrimaryProxy(db, services);
  const tracked = (state: typeof after) => ({ id: state.id, name: PRIMARY_PROXY_NAME, display_name: state.displayName, icon: state.icon });
  call.audit.update({ icon: after.icon, before: tracked(before), after: tracked(after) });
  return presentPrimaryProxy(after, services);
}
