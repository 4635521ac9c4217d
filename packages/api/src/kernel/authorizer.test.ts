import { templateObject, workspaceObject } from '@berth/rbac';
import { expectTypeOf, test } from 'vitest';
import type { Authorizer } from './procedures.ts';

test('an action that the type of the object does not know does not compile, so a misspelled one never silently denies', () => {
  const template = templateObject({ organizationId: 'o' });
  const workspace = workspaceObject({ ownerId: 'u', organizationId: 'o' });
  const ask = (authorize: Authorizer) => [
    authorize.can('view_insights', template),
    authorize.can('ssh', workspace),
    // @ts-expect-error misspelled
    authorize.can('upadte', template),
    // @ts-expect-error an action of another type
    authorize.can('ssh', template),
  ];
  expectTypeOf(ask).returns.toEqualTypeOf<boolean[]>();
});
