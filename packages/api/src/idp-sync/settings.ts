import { newId } from '@berth/core';
import type { Tx } from '@berth/db';
import type { GroupSync, OrganizationSync, RoleSync } from '@berth/domain';
import type { z } from 'zod';
import { GroupSyncSettings, OrganizationSyncSettings, RoleSyncSettings } from './contract.ts';

/** What holds as long as nobody has said otherwise: nothing is synced, and newcomers join the default organization. */
const NO_ORGANIZATION_SYNC: OrganizationSyncSettings = { field: '', mapping: {}, organization_assign_default: true };
export const NO_GROUP_SYNC: GroupSyncSettings = {
  field: '',
  mapping: {},
  regex_filter: null,
  auto_create_missing_groups: false,
  legacy_group_name_mapping: {},
};
export const NO_ROLE_SYNC: RoleSyncSettings = { field: '', mapping: {} };

export interface StoredIdpSync {
  readonly organization: OrganizationSyncSettings;
  readonly groups: ReadonlyMap<string, GroupSyncSettings>;
  readonly roles: ReadonlyMap<string, RoleSyncSettings>;
}

/** All settings, those of groups and roles by organization id. */
export async function readIdpSync(db: Tx): Promise<StoredIdpSync> {
  const rows = await db.idpSyncSetting.findMany({ select: { kind: true, organizationId: true, settings: true } });
  const of = <T>(kind: string, read: (settings: unknown) => T) =>
    new Map(rows.flatMap((row) => (row.kind === kind && row.organizationId !== null ? [[row.organizationId, read(row.settings)]] : [])));
  const site = rows.find((row) => row.kind === 'organization');
  return {
    organization: site === undefined ? NO_ORGANIZATION_SYNC : completed(OrganizationSyncSettings, NO_ORGANIZATION_SYNC, site.settings),
    groups: of('groups', (settings) => completed(GroupSyncSettings, NO_GROUP_SYNC, settings)),
    roles: of('roles', (settings) => completed(RoleSyncSettings, NO_ROLE_SYNC, settings)),
  };
}

async function readOne<T extends object>(
  db: Tx,
  { kind, organizationId, schema, standard }: { kind: string; organizationId: string | null; schema: z.ZodType<T>; standard: T },
): Promise<T> {
  const row = await db.idpSyncSetting.findFirst({ where: { kind, organizationId }, select: { settings: true } });
  return row === null ? standard : completed(schema, standard, row.settings);
}

/** Stored settings, with the standard for fields that are younger than they. */
function completed<T extends object>(schema: z.ZodType<T>, standard: T, stored: unknown): T {
  return schema.parse({ ...standard, ...(typeof stored === 'object' ? stored : {}) });
}

export const readOrganizationSync = (db: Tx): Promise<OrganizationSyncSettings> =>
  readOne(db, { kind: 'organization', organizationId: null, schema: OrganizationSyncSettings, standard: NO_ORGANIZATION_SYNC });

export const readGroupSync = (db: Tx, organizationId: string): Promise<GroupSyncSettings> =>
  readOne(db, { kind: 'groups', organizationId, schema: GroupSyncSettings, standard: NO_GROUP_SYNC });

export const readRoleSync = (db: Tx, organizationId: string): Promise<RoleSyncSettings> =>
  readOne(db, { kind: 'roles', organizationId, schema: RoleSyncSettings, standard: NO_ROLE_SYNC });

/** Whether claims decide who is in which organization: then nobody adds or removes people of a provider by hand. */
export async function isOrganizationSynced(db: Tx): Promise<boolean> {
  return (await readOrganizationSync(db)).field !== '';
}

/** Whether claims decide about the roles in this organization. */
export async function isRoleSynced(db: Tx, organizationId: string): Promise<boolean> {
  return (await readRoleSync(db, organizationId)).field !== '';
}

/** Whether claims decide about the groups of this organization. */
export async function isGroupSynced(db: Tx, organizationId: string): Promise<boolean> {
  return (await readGroupSync(db, organizationId)).field !== '';
}

export type SyncPlace =
  | { readonly kind: 'organization'; readonly organizationId: null }
  | { readonly kind: 'groups' | 'roles'; readonly organizationId: string };

/** Writes the settings of one place. Two writers at the same time wait for each other, and the later one's settings hold. */
export async function writeIdpSync(db: Tx, { kind, organizationId }: SyncPlace, settings: object, now: Date): Promise<void> {
  await db.$executeRaw`
    INSERT INTO idp_sync_settings (id, kind, organization_id, settings, updated_at)
    VALUES (${newId()}::uuid, ${kind}, ${organizationId}::uuid, ${JSON.stringify(settings)}::jsonb, ${now.toISOString()}::timestamptz)
    ON CONFLICT (kind, organization_id) DO UPDATE SET settings = EXCLUDED.settings, updated_at = EXCLUDED.updated_at`;
}

export function organizationSyncOf(settings: OrganizationSyncSettings): OrganizationSync {
  return { field: settings.field, mapping: settings.mapping, assignDefault: settings.organization_assign_default };
}

export function groupSyncOf(settings: GroupSyncSettings): GroupSync {
  return {
    field: settings.field,
    mapping: settings.mapping,
    regexFilter: settings.regex_filter,
    autoCreateMissingGroups: settings.auto_create_missing_groups,
    legacyGroupNameMapping: settings.legacy_group_name_mapping,
  };
}

export function roleSyncOf(settings: RoleSyncSettings): RoleSync {
  return { field: settings.field, mapping: settings.mapping };
}
