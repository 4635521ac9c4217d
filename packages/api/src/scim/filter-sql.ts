import { isUuid } from '@berth/core';
import type { Prisma } from '@berth/db';
import type { Comparison, FilterTree } from './filter-syntax.ts';
import { parseFilter } from './filter-syntax.ts';
import { ScimRefusal } from './refusals.ts';

type Compare = Extract<FilterTree, { op: 'compare' }>;

/** What a filter may ask of one kind of resource. A condition is a Prisma filter; null stands for never. */
interface Dialect<W> {
  readonly compare: (tree: Compare) => W;
  readonly present: (attribute: string) => W;
  readonly element: (tree: Extract<FilterTree, { op: 'element' }>) => W;
}

interface Logic<W> {
  AND?: W[];
  OR?: W[];
  NOT?: W;
}

function translate<W extends object>(tree: FilterTree, dialect: Dialect<W>): W | Logic<W> {
  switch (tree.op) {
    case 'and':
      return { AND: tree.parts.map((part) => translate(part, dialect) as W) };
    case 'or':
      return { OR: tree.parts.map((part) => translate(part, dialect) as W) };
    case 'not':
      return { NOT: translate(tree.part, dialect) as W };
    case 'present':
      return dialect.present(tree.attribute);
    case 'element':
      return dialect.element(tree);
    case 'compare':
      return dialect.compare(tree);
  }
}

const NEVER = { id: { in: [] as string[] } };
const ALWAYS = {};

function unsupported(attribute: string): ScimRefusal {
  return new ScimRefusal('invalidFilter', `This server cannot filter by ${attribute}.`);
}

/** Prisma compares without case by ILIKE, where these characters mean more than themselves. */
function literal(text: string): string {
  return text.replace(/[\\%_]/g, String.raw`\$&`);
}

function wantedText({ attribute, value }: Compare): string {
  if (typeof value !== 'string') throw new ScimRefusal('invalidFilter', `${attribute} is compared with a text.`);
  return value;
}

/** A comparison of texts without regard to case. */
function textFilter(tree: Compare): Prisma.StringFilter {
  const text = literal(wantedText(tree));
  const mode = 'insensitive';
  switch (tree.comparison) {
    case 'eq':
      return { equals: text, mode };
    case 'ne':
      return { not: text, mode };
    case 'co':
      return { contains: text, mode };
    case 'sw':
      return { startsWith: text, mode };
    case 'ew':
      return { endsWith: text, mode };
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      throw new ScimRefusal('invalidFilter', `${tree.attribute} has no order.`);
  }
}

const DATE_FILTERS: Partial<Record<Comparison, 'equals' | 'not' | 'gt' | 'gte' | 'lt' | 'lte'>> = {
  eq: 'equals',
  ne: 'not',
  gt: 'gt',
  ge: 'gte',
  lt: 'lt',
  le: 'lte',
};

function dateFilter(tree: Compare): Prisma.DateTimeFilter {
  const instant = new Date(wantedText(tree));
  const key = DATE_FILTERS[tree.comparison];
  const year = instant.getUTCFullYear();
  if (Number.isNaN(year) || year < 1 || year > 9999) {
    throw new ScimRefusal('invalidFilter', `${tree.attribute} is compared with an instant.`);
  }
  if (key === undefined) throw new ScimRefusal('invalidFilter', `${tree.attribute} is an instant, not a text.`);
  return { [key]: instant };
}

/** Whether two things are the same: the only questions about ids and flags. */
function equality({ attribute, comparison }: Compare): boolean {
  if (comparison === 'eq') return true;
  if (comparison === 'ne') return false;
  throw new ScimRefusal('invalidFilter', `${attribute} is compared by eq or ne.`);
}

function idFilter(tree: Compare): { id?: { in: string[] } | { not: string } } {
  const id = wantedText(tree).toLowerCase();
  if (equality(tree)) return { id: { in: isUuid(id) ? [id] : [] } };
  return isUuid(id) ? { id: { not: id } } : ALWAYS;
}

/** External ids differ by case. */
function externalIdFilter(tree: Compare): {
  scimExternalId?: Prisma.StringNullableFilter | null;
  OR?: { scimExternalId: Prisma.StringNullableFilter | null }[];
} {
  const text = wantedText(tree);
  switch (tree.comparison) {
    case 'eq':
      return { scimExternalId: { equals: text } };
    case 'ne':
      return { OR: [{ scimExternalId: { not: text } }, { scimExternalId: null }] };
    case 'co':
      return { scimExternalId: { contains: literal(text) } };
    case 'sw':
      return { scimExternalId: { startsWith: literal(text) } };
    case 'ew':
      return { scimExternalId: { endsWith: literal(text) } };
    case 'gt':
    case 'ge':
    case 'lt':
    case 'le':
      throw new ScimRefusal('invalidFilter', `${tree.attribute} has no order.`);
  }
}

/** The condition of a filter over accounts; everything without one. */
export function userFilter(filter: string | undefined): Prisma.UserWhereInput {
  if (filter === undefined || filter.trim() === '') return {};
  return translate<Prisma.UserWhereInput>(parseFilter(filter), { compare: compareUser, present: userHas, element: userElement });
}

function compareUser(tree: Compare): Prisma.UserWhereInput {
  switch (tree.attribute) {
    case 'id':
      return idFilter(tree);
    case 'username':
      return userNameFilter(tree);
    case 'externalid':
      return externalIdFilter(tree);
    case 'displayname':
    case 'name.formatted':
      return { name: textFilter(tree) };
    case 'emails':
    case 'emails.value':
      return { email: textFilter(tree) };
    case 'emails.type':
      return isWork(tree) ? ALWAYS : NEVER;
    case 'active':
      return equality(tree) === isTrue(tree) ? { status: { not: 'suspended' } } : { status: 'suspended' };
    case 'meta.created':
      return { createdAt: dateFilter(tree) };
    case 'meta.lastmodified':
      return { updatedAt: dateFilter(tree) };
    default:
      throw unsupported(tree.attribute);
  }
}

/** An account that no provider has claimed goes by its e-mail address. */
function userNameFilter(tree: Compare): Prisma.UserWhereInput {
  const filter = textFilter(tree);
  return { OR: [{ AND: [{ scimUserName: { not: null } }, { scimUserName: filter }] }, { scimUserName: null, email: filter }] };
}

function isTrue({ attribute, value }: Compare): boolean {
  const text = String(value).toLowerCase();
  if (text !== 'true' && text !== 'false') throw new ScimRefusal('invalidFilter', `${attribute} is true or false.`);
  return text === 'true';
}

/** Every address is of the type work. */
function isWork(tree: Compare): boolean {
  return equality(tree) === (wantedText(tree).toLowerCase() === 'work');
}

function userHas(attribute: string): Prisma.UserWhereInput {
  switch (attribute) {
    case 'externalid':
      return { scimExternalId: { not: null } };
    case 'displayname':
    case 'name':
    case 'name.formatted':
      return { name: { not: '' } };
    case 'id':
    case 'username':
    case 'emails':
    case 'emails.value':
    case 'active':
    case 'meta':
    case 'meta.created':
    case 'meta.lastmodified':
      return ALWAYS;
    default:
      throw unsupported(attribute);
  }
}

function userElement({ attribute, part }: Extract<FilterTree, { op: 'element' }>): Prisma.UserWhereInput {
  if (attribute !== 'emails') throw unsupported(attribute);
  return translate<Prisma.UserWhereInput>(part, {
    compare: (tree) => {
      if (tree.attribute === 'primary') return equality(tree) === isTrue(tree) ? ALWAYS : NEVER;
      return compareUser({ ...tree, attribute: `emails.${tree.attribute}` });
    },
    present: (name) => (['value', 'type', 'primary'].includes(name) ? ALWAYS : NEVER),
    element: (tree) => {
      throw unsupported(tree.attribute);
    },
  });
}

/** The condition of a filter over groups; everything without one. */
export function groupFilter(filter: string | undefined): Prisma.GroupWhereInput {
  if (filter === undefined || filter.trim() === '') return {};
  return translate<Prisma.GroupWhereInput>(parseFilter(filter), { compare: compareGroup, present: groupHas, element: groupElement });
}

function compareGroup(tree: Compare): Prisma.GroupWhereInput {
  switch (tree.attribute) {
    case 'id':
      return idFilter(tree);
    case 'displayname': {
      const filter = textFilter(tree);
      return { OR: [{ AND: [{ displayName: { not: '' } }, { displayName: filter }] }, { displayName: '', name: filter }] };
    }
    case 'externalid':
      return externalIdFilter(tree);
    case 'members':
    case 'members.value': {
      const userId = wantedText(tree).toLowerCase();
      const has = isUuid(userId) ? { members: { some: { userId } } } : NEVER;
      return equality(tree) ? has : { NOT: has };
    }
    case 'meta.created':
    case 'meta.lastmodified':
      return { createdAt: dateFilter(tree) };
    default:
      throw unsupported(tree.attribute);
  }
}

function groupHas(attribute: string): Prisma.GroupWhereInput {
  switch (attribute) {
    case 'externalid':
      return { scimExternalId: { not: null } };
    case 'members':
      return { members: { some: {} } };
    case 'id':
    case 'displayname':
    case 'meta':
    case 'meta.created':
    case 'meta.lastmodified':
      return ALWAYS;
    default:
      throw unsupported(attribute);
  }
}

function groupElement({ attribute, part }: Extract<FilterTree, { op: 'element' }>): Prisma.GroupWhereInput {
  if (attribute !== 'members') throw unsupported(attribute);
  return translate<Prisma.GroupWhereInput>(part, {
    compare: (tree) => compareGroup({ ...tree, attribute: `members.${tree.attribute}` }),
    present: () => ({ members: { some: {} } }),
    element: (tree) => {
      throw unsupported(tree.attribute);
    },
  });
}
