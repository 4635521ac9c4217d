import type { DomainError } from '@berth/core';
import { conflict, newId, notFound } from '@berth/core';
import { isUniqueViolation } from '@berth/db';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import { endGrantsOfApp, grantObject } from '../oauth2/index.ts';
import type { AppRow } from './app-rows.ts';
import { createAppRow, findApp, listAppRows, updateAppRow } from './app-rows.ts';
import { auditedApp } from './audit.ts';
import type { CreateOAuth2App, ListOAuth2Apps, OAuth2ProviderApp, UpdateOAuth2App } from './contract.ts';
import { presentApp } from './presenter.ts';

/** The applications, by name; with `user_id` those that may act for this user, as far as the caller may know it. */
export async function listApps(call: UserCall, input: z.output<typeof ListOAuth2Apps>): Promise<OAuth2ProviderApp[]> {
  call.authorize.require({ type: 'oauth2_app' }, { sitewide: true });
  if (input.user_id !== undefined && !call.authorize.can('read', grantObject(input.user_id))) return [];
  const live = { rotatedAt: null, expiresAt: { gt: call.services.clock.now() } };
  const rows = await listAppRows(call.db, input.user_id === undefined ? {} : { tokens: { some: { userId: input.user_id, ...live } } });
  return rows.map((row) => presentApp(row, call.services.settings));
}

export async function getApp(call: UserCall, input: { app: string }): Promise<OAuth2ProviderApp> {
  return presentApp(await loadApp(call, input.app), call.services.settings);
}

export async function createApp(call: UserCall, input: z.output<typeof CreateOAuth2App>): Promise<OAuth2ProviderApp> {
  const id = newId();
  call.audit.set({ resourceId: id, target: input.name, icon: input.icon });
  call.authorize.require({ type: 'oauth2_app' }, { sitewide: true });
  const now = call.services.clock.now();
  try {
    const row = await createAppRow(call.db, {
      id,
      name: input.name,
      icon: input.icon,
      callbackUrl: input.callback_url,
      clientType: input.client_type,
      createdAt: now,
      updatedAt: now,
    });
    call.audit.update({ after: auditedApp(row) });
    return presentApp(row, call.services.settings);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** Changes what is given and leaves the rest. */
export async function updateApp(call: UserCall, input: z.output<typeof UpdateOAuth2App>): Promise<OAuth2ProviderApp> {
  const before = await loadApp(call, input.app, 'audited');
  try {
    const row = await updateAppRow(call.db, before.id, {
      ...(input.name === undefined ? {} : { name: input.name }),
      ...(input.callback_url === undefined ? {} : { callbackUrl: input.callback_url }),
      ...(input.icon === undefined ? {} : { icon: input.icon }),
      ...(input.client_type === undefined ? {} : { clientType: input.client_type }),
      updatedAt: call.services.clock.now(),
    });
    call.audit.update({ target: row.name, icon: row.icon, before: auditedApp(before), after: auditedApp(row) });
    return presentApp(row, call.services.settings);
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
}

/** Deletes an application with its secrets, and ends everything that it was given. */
export async function deleteApp(call: UserCall, input: { app: string }): Promise<void> {
  const row = await loadApp(call, input.app, 'audited');
  await endGrantsOfApp(call, row.id);
  await call.db.oAuth2ProviderApp.delete({ where: { id: row.id }, select: { id: true } });
  call.audit.update({ before: auditedApp(row) });
}

/** The application, once the caller is allowed what the procedure does. Everyone may know the applications, so refusals are plain. */
async function loadApp(call: UserCall, id: string, recording: 'audited' | 'silent' = 'silent'): Promise<AppRow> {
  const row = await findApp(call.db, id);
  if (row !== null && recording === 'audited') call.audit.set({ resourceId: row.id, target: row.name, icon: row.icon });
  call.authorize.require({ type: 'oauth2_app', id }, { sitewide: true });
  if (row === null) throw notFound();
  return row;
}

function nameTaken(): DomainError {
  return conflict('There is already an application of this name.', [{ field: 'name', detail: 'Is already taken.' }]);
}
