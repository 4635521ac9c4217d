import type { Principal, Services } from '../kernel/context.ts';
import { can, canDo } from '@berth/rbac';
import type { OpenShare } from '../workspace-shares/index.ts';
import { shareFor } from '../workspace-shares/index.ts';
import type { AppFacts } from './app-facts.ts';
import type { AppRequest } from './app-request.ts';

/** What lets somebody open an app: a right to the workspace, the app's sharing level, or a share with an end. */
export type Grant = { readonly by: 'right' | 'level' } | { readonly by: 'share'; readonly share: OpenShare };

/**
 * What lets this visitor open an app now; null: nothing does. On a path an app shares its origin with the dashboard, and could act there as
 * whoever opens it: so it is its owner's alone, unless the settings say otherwise.
 */
export async function grantFor(
  services: Services,
  { principal, request, facts }: { readonly principal: Principal; readonly request: AppRequest; readonly facts: AppFacts },
): Promise<Grant | null> {
  const { pathApps } = services.settings;
  const isPath = request.accessMethod === 'path';
  const user = principal.kind === 'user' ? principal : null;
  if (user !== null && can(user.subject, 'application_connect', facts.object)) {
    const isOwner = user.userId === facts.ownerId;
    const mayOpenAll = pathApps.allowsSiteOwners && canDo(user.subject, 'workspace:application_connect', {});
    if (!isPath || isOwner || mayOpenAll) return { by: 'right' };
  }
  if (isPath && !pathApps.allowsSharing) return null;
  if (facts.level === 'public') return { by: 'level' };
  if (user === null) return null;
  if (facts.level === 'authenticated' && mayConnectToOwn(user.subject, facts)) return { by: 'level' };
  // A share is of apps that the template declares: nobody shares every port that happens to listen.
  if (request.target.kind !== 'app') return null;
  const door = { access: 'apps', workspaceId: facts.workspaceId, agentName: facts.agentName, appSlug: request.target.slug } as const;
  const share = await shareFor(services, user.subject, door);
  return share === null ? null : { by: 'share', share };
}

/** Whether the visitor, with the credential in use, could open apps of a workspace of their own. */
function mayConnectToOwn(subject: Parameters<typeof can>[0], { workspaceId }: AppFacts): boolean {
  return can(subject, 'application_connect', { type: 'workspace', id: workspaceId, owner: subject.id });
}
