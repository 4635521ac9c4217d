import { userObject } from '@berth/rbac';
import { z } from 'zod';
import type { UserCall } from '../kernel/procedures.ts';
import type { AutofillParameters } from './contract.ts';
import { UserParameter } from './contract.ts';
import { resolveUser } from './resolve-user.ts';

const MAX_PARAMETERS = 100;

/**
 * For each parameter of a template, the value that the user's start builds used last, newest first. Values of ephemeral parameters are
 * for one build only and are left out.
 */
export async function autofillParameters(
  call: UserCall,
  input: z.output<typeof AutofillParameters>,
): Promise<z.output<typeof UserParameter>[]> {
  const user = await resolveUser(call, input.user);
  call.authorize.require(userObject(user.id));
  const rows = await call.db.$queryRaw`
    SELECT name, value FROM (
      SELECT DISTINCT ON (p.name) p.name, p.value, b.created_at, b.id
      FROM workspaces w
      JOIN workspace_builds b ON b.workspace_id = w.id
      JOIN workspace_build_parameters p ON p.build_id = b.id
      JOIN template_version_parameters d ON d.template_version_id = b.template_version_id AND d.name = p.name
      WHERE w.owner_id = ${user.id}::uuid AND w.template_id = ${input.template_id}::uuid
        AND b.transition = 'start' AND NOT d.ephemeral
      ORDER BY p.name, b.created_at DESC, b.id DESC
    ) latest
    ORDER BY created_at DESC, name
    LIMIT ${MAX_PARAMETERS}`;
  return z.array(UserParameter).parse(rows);
}
