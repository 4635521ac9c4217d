import { randomBytes } from 'node:crypto';
import { isUuid } from '@berth/core';
import { hashToken } from '@berth/core/secrets';
import type { Prisma, Tx } from '@berth/db';
import { sameText } from '@berth/db';
import { PRIMARY_PROXY_NAME } from '@berth/domain';
import type { Services } from '../kernel/context.ts';

const proxySelect = {
  id: true,
  name: true,
  displayName: true,
  icon: true,
  url: true,
  wildcardHostname: true,
  hashedSecret: true,
  derpEnabled: true,
  derpOnly: true,
  version: true,
  deleted: true,
  createdAt: true,
  updatedAt: true,
  status: true,
  checkedAt: true,
  reportErrors: true,
  reportWarnings: true,
} as const satisfies Prisma.WorkspaceProxySelect;

export type ProxyRow = Prisma.WorkspaceProxyGetPayload<{ select: typeof proxySelect }>;

/** The server itself as a proxy: always there, with a display name and an icon that may be changed. */
export interface PrimaryProxy {
  readonly id: string;
  readonly displayName: string;
  readonly icon: string;
}

const PRIMARY_SETTINGS = { displayName: 'primary_proxy_display_name', icon: 'primary_proxy_icon' } as const;
const PRIMARY_DISPLAY_NAME = 'Default';

export async function loadPrimaryProxy(db: Tx, services: Services): Promise<PrimaryProxy> {
  const rows = await db.siteSetting.findMany({
    where: { key: { in: Object.values(PRIMARY_SETTINGS) } },
    select: { key: true, value: true },
  });
  const settings = new Map(rows.map((row) => [row.key, row.value]));
  return {
    id: services.settings.deploymentId,
    displayName: settings.get(PRIMARY_SETTINGS.displayName) ?? PRIMARY_DISPLAY_NAME,
    icon: settings.get(PRIMARY_SETTINGS.icon) ?? '',
  };
}

export async function savePrimaryProxy(db: Tx, changes: { displayName?: string | undefined; icon?: string | undefined }): Promise<void> {
  for (const field of ['displayName', 'icon'] as const) {
    const value = changes[field];
    if (value === undefined) continue;
    const key = PRIMARY_SETTINGS[field];
    await db.siteSetting.upsert({ where: { key }, create: { key, value }, update: { value }, select: { key: true } });
  }
}

/** Whether a path parameter names the server itself. */
export function isPrimary(services: Services, param: string): boolean {
  return param.toLowerCase() === PRIMARY_PROXY_NAME || param.toLowerCase() === services.settings.deploymentId.toLowerCase();
}

export async function findProxy(db: Tx, param: string): Promise<ProxyRow | null> {
  const where = isUuid(param) ? { id: param } : { name: sameText(param) };
  return await db.workspaceProxy.findFirst({ where: { ...where, deleted: false }, select: proxySelect });
}

export async function listProxyRows(db: Tx): Promise<ProxyRow[]> {
  return await db.workspaceProxy.findMany({ where: { deleted: false }, select: proxySelect, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
}

export async function createProxyRow(db: Tx, data: Prisma.WorkspaceProxyUncheckedCreateInput): Promise<ProxyRow> {
  return await db.workspaceProxy.create({ data, select: proxySelect });
}

export async function updateProxyRow(db: Tx, id: string, data: Prisma.WorkspaceProxyUncheckedUpdateInput): Promise<ProxyRow> {
  return await db.workspaceProxy.update({ where: { id, deleted: false }, data, select: proxySelect });
}

/** A new credential of a proxy: `<id>:<64 hex digits>`, of which only a hash is kept. */
export function newProxyToken(id: string): { token: string; hashedSecret: Uint8Array<ArrayBuffer> } {
  const secret = randomBytes(32).toString('hex');
  return { token: `${id}:${secret}`, hashedSecret: hashToken(secret) };
}
