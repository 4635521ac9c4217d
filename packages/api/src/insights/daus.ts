import { Prisma } from '@berth/db';
import type { UserCall } from '../kernel/procedures.ts';
import type { DAUsResponse } from '../templates/settings/contract.ts';
import { dailyUsers } from '../templates/settings/daus.ts';
import { seenTemplates } from './seen-templates.ts';

/** How many people used workspaces on each of the last sixty days and today: of all templates whose insights the caller may see. */
export async function deploymentDaus(call: UserCall, { tz_offset }: { readonly tz_offset: number }): Promise<DAUsResponse> {
  const templates = await seenTemplates(call);
  return await dailyUsers(call, { templates: templates(Prisma.sql`template_id`), offset: tz_offset });
}
