import { conflict, forbidden, invalidField, isUuid, newId } from '@berth/core';
import type { Workspace } from '@berth/db';
import { sameText } from '@berth/db';
import { groupObject, workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { workspaceSharesChannel } from '../kernel/channels.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { holdWorkspace } from '../workspaces/index.ts';
import type { CreateShare, WorkspaceShare } from './contract.ts';
import { ACTIVE_SHARES_MAX, SHARE_SECONDS_MAX, SHARE_SECONDS_MIN } from './contract.ts';
import { ACTION_OF_ACCESS } from './let-in.ts';
import { opensApp, opensApps } from './places.ts';
import { presentShare, shareSelect } from './presenter.ts';
import { recordOf } from './record.ts';

type Input = z.output<typeof CreateShare>;

/**
 * Lets a user or a group of the workspace's organization into a part of the workspace for a time.
 *
 * @throws forbidden for who may not enter it themself; invalid for anyone outside the organization, the owner, an agent or app that is not
 * there, and a time out of bounds; conflict for too many.
 */
export async function createShare(call: UserCall, input: Input): Promise<WorkspaceShare> {
  const { db, services, principal } = call;
  const workspace = await holdWorkspace(call, input.workspace);
  const { access, user, group_id, agent_name, app_slug, terminal_id } = input;
  call.audit.update({ additionalFields: { share: 'created', access, user, group_id, agent_name, app_slug, terminal_id } });
  if (!call.authorize.can(ACTION_OF_ACCESS[input.access], workspaceObject(workspace))) {
    throw forbidden('You may not share what you may not open yourself.');
  }
  const now = services.clock.now();
  const expiresAt = endOf(input, now);
  const recipient = await findRecipient(call, workspace, input);
  const what = await findThing(call, workspace, input);
  const active = await db.workspaceShare.count({ where: { workspaceId: workspace.id, endedAt: null, expiresAt: { gt: now } } });
  if (active >= ACTIVE_SHARES_MAX) throw conflict(`A workspace has at most ${ACTIVE_SHARES_MAX} shares at a time. Take one back first.`);
  const row = await db.workspaceShare.create({
    data: {
      id: newId(),
      workspaceId: workspace.id,
      access: input.access,
      ...recipient,
      ...what,
      createdById: principal.userId,
      createdAt: now,
      expiresAt,
    },
    select: shareSelect,
  });
  call.audit.update({ additionalFields: recordOf(row, 'created') });
  await services.bus.publish(db, workspaceSharesChannel, { workspace_id: workspace.id });
  return presentShare(row, now);
}

function endOf({ expires_at: expiresAt, duration_seconds: seconds }: Input, now: Date): Date {
  if ((expiresAt === undefined) === (seconds === undefined)) {
    throw invalidField('expires_at', 'is needed, or duration_seconds: one of the two');
  }
  if (seconds !== undefined) return new Date(now.getTime() + seconds * 1000);
  const end = new Date(expiresAt ?? '');
  const ahead = (end.getTime() - now.getTime()) / 1000;
  if (ahead < SHARE_SECONDS_MIN || ahead > SHARE_SECONDS_MAX) throw invalidField('expires_at', 'must be from a minute to 30 days ahead');
  return end;
}

type Recipient = { readonly userId: string } | { readonly groupId: string };

async function findRecipient(call: UserCall, workspace: Workspace, { user, group_id: groupId }: Input): Promise<Recipient> {
  if ((user === undefined) === (groupId === undefined)) throw invalidField('user', 'is needed, or group_id: one of the two');
  const { organizationId } = workspace;
  if (groupId !== undefined) {
    const group = await call.db.group.findFirst({ where: { id: groupId, organizationId }, select: { id: true } });
    if (group === null || !call.authorize.can('read', groupObject({ id: groupId, organizationId }))) {
      throw invalidField('group_id', 'is not a group of the organization of this workspace');
    }
    return { groupId };
  }
  const name = user ?? '';
  const member = await call.db.organizationMember.findFirst({
    where: {
      organizationId,
      user: { ...(isUuid(name) ? { id: name } : { username: sameText(name) }), deleted: false, status: { not: 'suspended' } },
    },
    select: { userId: true },
  });
  if (member === null) throw invalidField('user', 'is not an active member of the organization of this workspace');
  if (member.userId === workspace.ownerId) throw invalidField('user', 'owns this workspace');
  return { userId: member.userId };
}

interface Thing {
  readonly agentName: string;
  readonly appSlug: string;
  readonly terminalId: string | null;
}

/** What the share is about, by names of the latest build: they must mean something now, and keep their meaning over later builds. */
async function findThing(call: UserCall, workspace: Workspace, input: Input): Promise<Thing> {
  const { access, agent_name: agentName, app_slug: appSlug, terminal_id: terminalId } = input;
  if (appSlug !== '' && access !== 'apps') throw invalidField('app_slug', 'goes with the access apps only');
  if ((terminalId !== undefined) !== (access === 'terminal_view')) {
    throw invalidField(
      'terminal_id',
      access === 'terminal_view' ? 'is needed to say which terminal' : 'goes with the access terminal_view only',
    );
  }
  const { settings } = call.services;
  if (access === 'apps' && !opensApps(settings)) {
    throw invalidField('access', 'cannot be apps: this server has no domain for apps, and below its own paths only the owner opens them');
  }
  const agents = await agentsOf(call, workspace);
  const named = agents.filter((agent) => agentName === '' || agent.name.toLowerCase() === agentName.toLowerCase());
  if (agentName !== '' && named.length === 0) throw invalidField('agent_name', 'is not an agent of the latest build of this workspace');
  const apps = named.flatMap((agent) => agent.apps).filter((app) => app.slug.toLowerCase() === appSlug.toLowerCase());
  if (appSlug !== '' && apps.length === 0) throw invalidField('app_slug', 'is not an app of the latest build of this workspace');
  if (appSlug !== '' && !apps.some((app) => opensApp(settings, app))) {
    throw invalidField('app_slug', 'is an app that only its owner can open');
  }
  return { agentName: agentName.toLowerCase(), appSlug: appSlug.toLowerCase(), terminalId: terminalId ?? null };
}

async function agentsOf({ db }: UserCall, { latestBuildId }: Workspace) {
  if (latestBuildId === null) return [];
  const build = await db.workspaceBuild.findUnique({ where: { id: latestBuildId }, select: { jobId: true } });
  if (build === null) return [];
  return db.workspaceAgent.findMany({
    where: { resource: { jobId: build.jobId } },
    select: { name: true, apps: { select: { slug: true, subdomain: true, external: true } } },
  });
}
