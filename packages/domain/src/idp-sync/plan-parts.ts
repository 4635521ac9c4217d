import { compilePattern } from '../parameter-value.ts';
import { nameProblem } from '../names.ts';
import { readClaim } from './claims.ts';
import type { GroupSync, IdpSyncInput, IdpSyncPlan, RoleSync, SyncChange, SyncedOrganization, SyncTrace } from './model.ts';

/** One sign-in makes at most this many groups of an organization. */
const CREATED_GROUPS_MAX = 100;

type Trace = (line: Omit<SyncTrace, 'kind' | 'organizationId' | 'field'>) => void;

interface Reading {
  readonly status: 'off' | 'applied' | 'failed';
  readonly field: string;
  readonly problem: string;
  readonly values: readonly string[];
}

/** Reads the claim of a part; one that is not configured or not readable gives no values, and says so. */
export function readPart(claims: IdpSyncInput['claims'], field: string, trace: Trace): Reading {
  if (field === '') return { status: 'off', field, problem: '', values: [] };
  const reading = readClaim(claims, field);
  if (!reading.isFine) {
    trace({
      value: '',
      outcome: 'failed',
      rule: 'claim',
      target: '',
      reason: `Nothing changes, since ${reading.problem}.`,
    });
    return { status: 'failed', field, problem: reading.problem, values: [] };
  }
  if (reading.values.length === 0) {
    const reason = reading.isPresent ? 'The claim is empty, so it gives nothing.' : 'The claim is missing, so it gives nothing.';
    trace({ value: '', outcome: 'dropped', rule: 'claim', target: '', reason });
  }
  return { status: 'applied', field, problem: '', values: reading.values };
}

/** The changes from what the user has to what they get, in that order: what stays or comes first, then what goes. */
export function changes<T>(has: readonly T[], gets: readonly T[]): { readonly key: T; readonly change: SyncChange }[] {
  const before = new Set(has);
  const after = new Set(gets);
  return [
    ...[...after].map((key) => ({ key, change: before.has(key) ? ('keep' as const) : ('add' as const) })),
    ...[...before].filter((key) => !after.has(key)).map((key) => ({ key, change: 'remove' as const })),
  ];
}

/** What the mapping says of a value, or undefined when it does not name it. */
export function mapped(mapping: Readonly<Record<string, readonly string[]>>, value: string): readonly string[] | undefined {
  return Object.hasOwn(mapping, value) ? mapping[value] : undefined;
}

/** The roles that the values of a claim give, in the order of the claim; each must be among `known`. */
export function rolesOf(
  values: readonly string[],
  { mapping }: Pick<RoleSync, 'mapping'>,
  known: ReadonlySet<string>,
  trace: Trace,
): string[] {
  const roles: string[] = [];
  for (const value of values) {
    const named = mapped(mapping, value);
    const rule = named === undefined ? 'name' : 'mapping';
    if (named?.length === 0) {
      trace({ value, outcome: 'dropped', rule, target: '', reason: 'The mapping gives this value no role.' });
    }
    for (const role of named ?? [value]) {
      if (known.has(role)) {
        roles.push(role);
        const reason =
          named === undefined ? `The value is the name of the role ${role}.` : `The mapping gives this value the role ${role}.`;
        trace({ value, outcome: 'given', rule, target: role, reason });
      } else {
        const reason =
          named === undefined
            ? 'No mapping names this value, and no role has its name.'
            : `The mapping names ${role}, and there is no such role.`;
        trace({ value, outcome: 'dropped', rule, target: role, reason });
      }
    }
  }
  return roles;
}

type GroupPart = IdpSyncPlan['groups'][number];

interface GroupPlace {
  readonly organization: SyncedOrganization;
  readonly sync: GroupSync | undefined;
  readonly trace: Trace;
}

/** Membership of the groups of one organization. */
export function planGroups({ claims, facts }: IdpSyncInput, { organization, sync, trace }: GroupPlace): GroupPart {
  const nameOf = new Map(organization.groups.map((group) => [group.id, group.name]));
  const has = organization.groups.map(({ id }) => id).filter((id) => facts.user.groupIds.has(id));
  const item = (groupId: string, change: SyncChange) => ({ groupId, name: nameOf.get(groupId) ?? '', change });
  const { values, ...reading } = readPart(claims, sync?.field ?? '', trace);
  const kept = has.map((id) => item(id, 'keep'));
  if (sync === undefined || reading.status !== 'applied') return { organizationId: organization.id, ...reading, items: kept };

  const matches = filterOf(sync.regexFilter);
  if (matches === null) {
    const problem = `the filter ${sync.regexFilter} is not an RE2 expression`;
    trace({ value: '', outcome: 'failed', rule: 'regex', target: '', reason: `Nothing changes, since ${problem}.` });
    return { organizationId: organization.id, status: 'failed', field: sync.field, problem, items: kept };
  }
  const given: string[] = [];
  const created = new Set<string>();
  const names = { nameOf, idOf: new Map(organization.groups.map((group) => [group.name, group.id])), created };
  for (const value of values) {
    for (const { id, ...line } of groupsOfValue(value, { sync, matches, names })) {
      if (id !== undefined) given.push(id);
      trace({ value, ...line });
    }
  }
  const items: GroupPart['items'] = [
    ...changes(has, given).map(({ key, change }) => item(key, change)),
    ...[...created].map((name) => ({ groupId: null, name, change: 'create' as const })),
  ];
  return { organizationId: organization.id, ...reading, items };
}

/** The regex filter as a question, or null when it cannot be read. */
function filterOf(source: string | null): ((name: string) => boolean) | null {
  if (source === null || source === '') return () => true;
  const pattern = compilePattern(source);
  return pattern === null ? null : (name) => pattern.test(name);
}

interface GroupNames {
  readonly nameOf: ReadonlyMap<string, string>;
  readonly idOf: ReadonlyMap<string, string>;
  /** The names of groups to make; grows. */
  readonly created: Set<string>;
}

type Verdict = Omit<SyncTrace, 'kind' | 'organizationId' | 'field' | 'value'> & { readonly id?: string };

const dropped = (rule: SyncTrace['rule'], reason: string, target = ''): Verdict => ({ outcome: 'dropped', rule, target, reason });
const given = (rule: SyncTrace['rule'], id: string, reason: string): Verdict => ({ outcome: 'given', rule, target: id, reason, id });

/** The groups of one claim value: renamed, filtered, then by mapping, else by name, else made. */
function groupsOfValue(
  value: string,
  { sync, matches, names }: { sync: GroupSync; matches: (name: string) => boolean; names: GroupNames },
): Verdict[] {
  const { legacyGroupNameMapping: renames } = sync;
  const name = Object.hasOwn(renames, value) ? (renames[value] ?? value) : value;
  if (!matches(name)) return [dropped('regex', `The value does not match ${sync.regexFilter}.`)];
  const chosen = mapped(sync.mapping, name);
  if (chosen?.length === 0) return [dropped('mapping', 'The mapping gives this value no group.')];
  if (chosen !== undefined) {
    return chosen.map((id) => {
      const known = names.nameOf.get(id);
      return known === undefined
        ? dropped('mapping', 'The mapping names a group that this organization does not have.', id)
        : given('mapping', id, `The mapping gives this value the group ${known}.`);
    });
  }
  const id = names.idOf.get(name);
  if (id !== undefined) return [given('name', id, `The value is the name of the group ${name}.`)];
  if (!sync.autoCreateMissingGroups) {
    return [dropped('name', 'No mapping names this value, no group has its name, and missing groups are not made.')];
  }
  const broken = nameProblem('group_name', name);
  if (broken !== null) return [dropped('create', `No mapping names this value, and no group can be made with this name: ${broken}`)];
  if (!names.created.has(name) && names.created.size >= CREATED_GROUPS_MAX) {
    return [dropped('create', `One sign-in makes at most ${CREATED_GROUPS_MAX} groups.`)];
  }
  names.created.add(name);
  return [{ outcome: 'given', rule: 'create', target: name, reason: `The group ${name} is made, since missing groups are.` }];
}
