import type { Validation } from '@berth/core';
import { invalid, isUuid } from '@berth/core';
import type { ObjectRef } from '@berth/rbac';
import { canUnchecked } from '@berth/rbac';
import type { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { AuthorizationObject, CheckAuthorization } from './contract.ts';
import { CHECKS_WITH_RESOURCE_MAX } from './contract.ts';
import type { Named } from './load-objects.ts';
import { isLoadable, keyOf, loadObjects } from './load-objects.ts';

type AskedObject = z.output<typeof AuthorizationObject>;

/**
 * What the caller may do, with the credential in use. Words that nobody knows, and objects that are not there or not readable, are a plain
 * no. At most four statements, however many questions.
 */
export async function checkAuthorization(call: UserCall, input: z.output<typeof CheckAuthorization>): Promise<Record<string, boolean>> {
  const checks = Object.entries(input.checks);
  refuseBadNames(checks.map(([key, { object }]) => [key, object]));
  const { subject } = call.principal;
  const objects = await loadObjects(
    call.db,
    checks.flatMap(([, { object }]) => namedBy(object) ?? []),
  );
  return Object.fromEntries(
    checks.map(([key, { object, action }]) => {
      const named = namedBy(object);
      if (named === null) return [key, canUnchecked(subject, action, describedObject(object, call.principal.userId))];
      const found = objects.get(keyOf(named));
      return [key, found !== undefined && canUnchecked(subject, 'read', found) && canUnchecked(subject, action, found)];
    }),
  );
}

function refuseBadNames(objects: readonly (readonly [string, AskedObject])[]): void {
  const problems: Validation[] = objects.flatMap(([key, object]) => {
    const detail = nameProblemOf(object);
    return detail === null ? [] : [{ field: `checks.${key}.object.resource_id`, detail }];
  });
  if (objects.filter(([, object]) => object.resource_id !== '').length > CHECKS_WITH_RESOURCE_MAX) {
    problems.push({ field: 'checks', detail: `Must have at most ${CHECKS_WITH_RESOURCE_MAX} entries with a resource_id.` });
  }
  if (problems.length > 0) throw invalid('Validation failed.', problems);
}

/** What is wrong with the id of an object, or null. */
export function nameProblemOf({ resource_type: type, resource_id: id }: AskedObject): string | null {
  if (id === '') return null;
  if (!isLoadable(type)) return 'Only a workspace, a template, a user or a group is found by its id.';
  return isUuid(id) ? null : 'Must be a UUID.';
}

/** The object that has to be read, or null when the question describes one. */
export function namedBy({ resource_type: type, resource_id: id }: AskedObject): Named | null {
  return id === '' || !isLoadable(type) ? null : { type, id };
}

/** An object that need not exist, as described. `me` is the caller. */
export function describedObject(object: AskedObject, callerId: string): ObjectRef<string> {
  return {
    type: object.resource_type,
    owner: object.owner_id === 'me' ? callerId : object.owner_id.toLowerCase(),
    organizationId: object.organization_id.toLowerCase(),
    anyOrganization: object.any_org,
  };
}
