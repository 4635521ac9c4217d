import type { IdpSyncInput, IdpSyncPlan, SyncKind, SyncTrace } from './model.ts';
import { changes, mapped, planGroups, readPart, rolesOf } from './plan-parts.ts';

const OWNER = 'owner';

/**
 * What the claims of a sign-in mean: the organizations, then in each of them the groups and the roles, then the site roles, each with
 * its reasons. A part that is off or whose claim cannot be read keeps what the user has, and never changes another part. The same
 * input gives the same plan, and planning again after it is carried out changes nothing.
 */
export function planIdpSync(input: IdpSyncInput): IdpSyncPlan {
  const { claims, settings, facts } = input;
  const trace: SyncTrace[] = [];
  const organizations = planOrganizations(input, trace);
  const memberOf = new Set(organizations.items.filter(({ change }) => change !== 'remove').map(({ organizationId }) => organizationId));
  const places = facts.organizations.filter(({ id }) => memberOf.has(id));

  const groups = places.map((organization) => {
    const sync = settings.groups.get(organization.id);
    return planGroups(input, { organization, sync, trace: tracer(trace, 'group', organization.id, sync?.field ?? '') });
  });
  const organizationRoles = places.map((organization) => {
    const sync = settings.roles.get(organization.id) ?? { field: '', mapping: {} };
    const note = tracer(trace, 'organization_role', organization.id, sync.field);
    const { values, ...reading } = readPart(claims, sync.field, note);
    const has = facts.user.organizations.get(organization.id) ?? [];
    const gets = reading.status === 'applied' ? rolesOf(values, sync, new Set(organization.roles), note) : has;
    return { organizationId: organization.id, ...reading, items: changes(has, gets).map(({ key, change }) => ({ role: key, change })) };
  });
  return { organizations, groups, organizationRoles, siteRoles: planSiteRoles(input, trace), trace };
}

function tracer(trace: SyncTrace[], kind: SyncKind, organizationId: string | null, field: string) {
  return (line: Omit<SyncTrace, 'kind' | 'organizationId' | 'field'>): void => void trace.push({ kind, organizationId, field, ...line });
}

function planOrganizations(
  { claims, settings: { organization: sync }, facts }: IdpSyncInput,
  trace: SyncTrace[],
): IdpSyncPlan['organizations'] {
  const note = tracer(trace, 'organization', null, sync.field);
  const { values, ...reading } = readPart(claims, sync.field, note);
  const has = [...facts.user.organizations.keys()];
  const known = new Set(facts.organizations.map(({ id }) => id));
  const standard = facts.organizations.find(({ isDefault }) => isDefault);
  const isFirst = reading.status !== 'applied' && facts.user.isNew;
  const gets = reading.status === 'applied' ? [] : has.filter((id) => !isFirst || id !== standard?.id);
  if (sync.assignDefault && standard !== undefined && (reading.status === 'applied' || isFirst)) {
    gets.push(standard.id);
    note({ value: '', outcome: 'given', rule: 'default', target: standard.id, reason: 'Everybody joins the default organization.' });
  }
  for (const value of values) {
    const ids = mapped(sync.mapping, value);
    if (ids === undefined || ids.length === 0) {
      const reason = ids === undefined ? 'No mapping names this value.' : 'The mapping gives this value no organization.';
      note({ value, outcome: 'dropped', rule: 'mapping', target: '', reason });
      continue;
    }
    for (const id of ids) {
      if (known.has(id)) gets.push(id);
      note(
        known.has(id)
          ? { value, outcome: 'given', rule: 'mapping', target: id, reason: 'The mapping gives this value the organization.' }
          : { value, outcome: 'dropped', rule: 'mapping', target: id, reason: 'The mapping names an organization that does not exist.' },
      );
    }
  }
  const items = changes(has, gets).map(({ key, change }) => ({ organizationId: key, change }));
  for (const { organizationId, change } of items) {
    if (change !== 'remove') continue;
    note({
      value: '',
      outcome: 'dropped',
      rule: 'membership',
      target: organizationId,
      reason: 'No value gives this organization, so the user leaves it.',
    });
  }
  return { ...reading, items };
}

function planSiteRoles({ claims, settings: { siteRoles: sync }, facts }: IdpSyncInput, trace: SyncTrace[]): IdpSyncPlan['siteRoles'] {
  const note = tracer(trace, 'site_role', null, sync.field);
  const { values, ...reading } = readPart(claims, sync.field, note);
  const has = facts.user.siteRoles;
  if (reading.status !== 'applied') return { ...reading, items: has.map((role) => ({ role, change: 'keep' })) };
  const known = new Set(facts.siteRoles);
  const gets = rolesOf(values, sync, known, note);
  for (const role of sync.defaults) {
    if (known.has(role)) gets.push(role);
    note(
      known.has(role)
        ? { value: '', outcome: 'given', rule: 'default', target: role, reason: `Everybody who signs in here gets the role ${role}.` }
        : {
            value: '',
            outcome: 'dropped',
            rule: 'default',
            target: role,
            reason: `The settings of the provider name ${role}, and there is no such role.`,
          },
    );
  }
  if (has.includes(OWNER) && !gets.includes(OWNER) && facts.user.isLastOwner) {
    gets.push(OWNER);
    note({
      value: '',
      outcome: 'given',
      rule: 'last_owner',
      target: OWNER,
      reason: 'The last active owner stays one, whatever the claims say.',
    });
  }
  return { ...reading, items: changes(has, gets).map(({ key, change }) => ({ role: key, change })) };
}
