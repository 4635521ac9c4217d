import type { Tx } from '@berth/db';
import type { ObjectRef } from '@berth/rbac';
import { groupObject, templateObject, userObject, workspaceObject } from '@berth/rbac';
import { Acl } from '../templates/acl.ts';

/** What a question may name by its id. */
const LOADABLE_TYPES = ['workspace', 'template', 'user', 'group'] as const;
export type LoadableType = (typeof LOADABLE_TYPES)[number];

export function isLoadable(type: string): type is LoadableType {
  return LOADABLE_TYPES.some((known) => known === type);
}

export interface Named {
  readonly type: LoadableType;
  readonly id: string;
}

/**
 * The objects that exist of those named, as the permission rules see them, by `keyOf`. One statement for each type, however many there
 * are. Says nothing about who may read them.
 */
export async function loadObjects(db: Tx, named: readonly Named[]): Promise<ReadonlyMap<string, ObjectRef>> {
  const found = await Promise.all(
    LOADABLE_TYPES.map(async (type) => {
      const ids = [...new Set(named.filter((one) => one.type === type).map(({ id }) => id.toLowerCase()))];
      const objects = ids.length === 0 ? [] : await loadOfType(db, type, ids);
      return objects.map((object): [string, ObjectRef] => [keyOf({ type, id: object.id ?? '' }), object]);
    }),
  );
  return new Map(found.flat());
}

export function keyOf({ type, id }: Named): string {
  return `${type}:${id.toLowerCase()}`;
}

async function loadOfType(db: Tx, type: LoadableType, ids: string[]): Promise<ObjectRef[]> {
  const where = { id: { in: ids } };
  switch (type) {
    case 'workspace': {
      const select = { id: true, ownerId: true, organizationId: true, dormantAt: true } as const;
      return (await db.workspace.findMany({ where: { ...where, deleted: false }, select })).map(workspaceObject);
    }
    case 'template': {
      const select = { id: true, organizationId: true, userAcl: true, groupAcl: true } as const;
      const rows = await db.template.findMany({ where: { ...where, deleted: false }, select });
      return rows.map((row) => templateObject({ ...row, userAcl: Acl.parse(row.userAcl), groupAcl: Acl.parse(row.groupAcl) }));
    }
    case 'user':
      return (await db.user.findMany({ where: { ...where, deleted: false }, select: { id: true } })).map(({ id }) => userObject(id));
    case 'group':
      return (await db.group.findMany({ where, select: { id: true, organizationId: true } })).map(groupObject);
  }
}
