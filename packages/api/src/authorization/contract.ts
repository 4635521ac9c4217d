import { uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { MinimalOrganization } from '../organizations/contract.ts';
import { RbacAction, RbacResource } from '../roles/contract.ts';
import { SlimRole, UserPath } from '../users/contract.ts';

/** How many questions one call may ask. */
export const CHECKS_MAX = 100;
/** How many of them may name an object that has to be read. */
export const CHECKS_WITH_RESOURCE_MAX = 10;

const id = (description: string) => z.string().max(64).default('').meta({ description });

/** Words that nobody knows are no mistake: nothing allows them. */
const AnyResource = z.union([RbacResource, z.string().min(1).max(64)]);
const AnyAction = z.union([RbacAction, z.string().max(64)]);

export const AuthorizationObject = z
  .object({
    resource_type: AnyResource,
    owner_id: id('The user who owns it; `me` is the caller.'),
    organization_id: id('The organization that it belongs to.'),
    resource_id: id('An existing workspace, template, user or group: its own owner, organization and lists count then.'),
    any_org: z.boolean().default(false).meta({ description: 'Asks about some organization or other.' }),
  })
  .meta({ id: 'AuthorizationObject', description: 'What is to be acted on.' });

const AuthorizationCheck = z
  .object({ object: AuthorizationObject, action: AnyAction })
  .meta({ id: 'AuthorizationCheck', description: 'Whether the caller may do something to something.' });

export const CheckAuthorization = z
  .object({
    checks: z
      .record(z.string().max(256), AuthorizationCheck)
      .refine((checks) => Object.keys(checks).length <= CHECKS_MAX, `must have at most ${CHECKS_MAX} entries`)
      .meta({ description: `Questions by a key of your own; ${CHECKS_MAX} at most, ${CHECKS_WITH_RESOURCE_MAX} with a \`resource_id\`.` }),
  })
  .meta({ id: 'AuthorizationRequest' });

export const AuthorizationAnswers = z
  .record(z.string(), z.boolean())
  .meta({ id: 'AuthorizationResponse', description: 'The answers, by the key of the question.' });

export const ExplainAuthorization = z
  .object({ user: UserPath.shape.user, object: AuthorizationObject, action: AnyAction })
  .meta({ id: 'ExplainAuthorizationRequest' });

export const EXPLANATION_KINDS = [
  /** A role of the site, or of an organization, that is built in. */
  'site_role',
  'organization_role',
  'custom_role',
  /** The user owns the object, and a role lets people do this to what they own. */
  'ownership',
  /** The object's own list of people, or of groups. */
  'user_acl',
  'group_acl',
  'everyone_group',
  /** The credential in use does not carry the permission. */
  'scope',
  /** A role takes the permission away. */
  'negated',
  'not_a_member',
  'no_grant',
  /** Nobody who is suspended may do anything. */
  'suspended',
] as const;

export const ExplanationReason = z
  .object({
    kind: z.enum(EXPLANATION_KINDS),
    effect: z.enum(['grants', 'refuses']),
    sentence: z.string(),
    role: SlimRole.nullable(),
    organization: MinimalOrganization.nullable(),
    group: z.object({ id: uuid(), name: z.string(), display_name: z.string() }).nullable(),
  })
  .meta({ id: 'AuthorizationReason', description: 'One thing that grants a permission, each enough by itself, or that refuses it.' });
export type ExplanationReason = z.output<typeof ExplanationReason>;

export const Explanation = z
  .object({
    allowed: z.boolean(),
    sentence: z.string(),
    reasons: z.array(ExplanationReason),
    granting_roles: z.array(SlimRole).meta({ description: 'When refused: roles of which any one would grant it.' }),
  })
  .meta({ id: 'AuthorizationExplanation', description: 'Whether a user may do something, and by which role, group or list.' });
export type Explanation = z.output<typeof Explanation>;

export const routes = {
  check: route({
    method: 'POST',
    path: '/authcheck',
    tag: 'Authorization',
    id: 'check-authorization',
    summary: 'Ask what the caller may do',
  }),
  explain: route({
    method: 'POST',
    path: '/authcheck/explain',
    tag: 'Authorization',
    id: 'explain-authorization',
    summary: 'Explain what a user may do, and why',
    description: 'For any user, and about any object, that the caller may read.',
    errors: ['not_found'],
  }),
};
