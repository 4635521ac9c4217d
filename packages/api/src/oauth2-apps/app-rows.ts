import type { Prisma, Tx } from '@berth/db';

const appSelect = {
  id: true,
  name: true,
  icon: true,
  callbackUrl: true,
  clientType: true,
} as const satisfies Prisma.OAuth2ProviderAppSelect;
export type AppRow = Prisma.OAuth2ProviderAppGetPayload<{ select: typeof appSelect }>;

export async function findApp(db: Tx, id: string): Promise<AppRow | null> {
  return await db.oAuth2ProviderApp.findUnique({ where: { id }, select: appSelect });
}

export async function listAppRows(db: Tx, where: Prisma.OAuth2ProviderAppWhereInput): Promise<AppRow[]> {
  return await db.oAuth2ProviderApp.findMany({ where, select: appSelect, orderBy: [{ name: 'asc' }, { id: 'asc' }] });
}

export async function createAppRow(db: Tx, data: Prisma.OAuth2ProviderAppUncheckedCreateInput): Promise<AppRow> {
  return await db.oAuth2ProviderApp.create({ data, select: appSelect });
}

export async function updateAppRow(db: Tx, id: string, data: Prisma.OAuth2ProviderAppUncheckedUpdateInput): Promise<AppRow> {
  return await db.oAuth2ProviderApp.update({ where: { id }, data, select: appSelect });
}
