import { deploymentInputs } from './deployment.ts';
import { organizationsInputs } from './organizations.ts';
import { peopleInputs } from './people.ts';
import { templatesInputs } from './templates.ts';
import { workspacesInputs } from './workspaces.ts';
import type { InputOf } from './of.ts';

/**
 * An input for every procedure that passes validation and names the fixture's things, or fresh ones where the procedure
 * removes them. A procedure without one fails the matrix.
 */
export const INPUTS: Readonly<Record<string, InputOf>> = {
  ...deploymentInputs,
  ...organizationsInputs,
  ...peopleInputs,
  ...templatesInputs,
  ...workspacesInputs,
};

/** Procedures that the matrix does not call, each with the test that holds them instead. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'auth.logout': 'it would end the session of the next cell; packages/api/src/auth/auth.db.test.ts',
  ...Object.fromEntries(
    [
      'schemas',
      'schema',
      'resourceTypes',
      'resourceType',
      'listUsers',
      'getUser',
      'createUser',
      'replaceUser',
      'patchUser',
      'deleteUser',
      'listGroups',
      'getGroup',
      'createGroup',
      'replaceGroup',
      'patchGroup',
      'deleteGroup',
    ].map((name) => [`scim.${name}`, 'it knows the identity provider alone; packages/rest/src/raw/scim-door.api.test.ts']),
  ),
};
