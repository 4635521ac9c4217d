import { conflict, invalidField, notFound } from '@berth/core';
import type { Prisma } from '@berth/db';
import type { PortProtocol, SharingLevel } from '@berth/domain';
import { SHARING_LEVELS } from '@berth/domain';
import { workspaceObject } from '@berth/rbac';
import type { z } from 'zod';
import { workspaceChannel } from '../kernel/channels.ts';
import type { Confirmation } from '../kernel/confirmation.ts';
import { confirmed } from '../kernel/confirmation.ts';
import type { UserCall } from '../kernel/procedures.ts';
import { holdWorkspace } from '../workspaces/index.ts';
import type { DeletePortShare, ListPortShares, PortShare, PortShares, UpsertPortShare } from './contract.ts';

/** Nobody shares more; it bounds the list. */
const SHARES_MAX = 256;

const shareSelect = {
  workspaceId: true,
  agentName: true,
  port: true,
  shareLevel: true,
  protocol: true,
} as const satisfies Prisma.WorkspacePortShareSelect;
type ShareRow = Prisma.WorkspacePortShareGetPayload<{ select: typeof shareSelect }>;

function presentShare(row: ShareRow): PortShare {
  return {
    workspace_id: row.workspaceId,
    agent_name: row.agentName,
    port: row.port,
    // The columns carry check constraints with these very values.
    share_level: row.shareLevel as SharingLevel,
    protocol: row.protocol as PortProtocol,
  };
}

/** The shared ports of a workspace that the caller may read, by port. */
export async function listPortShares(call: UserCall, input: z.output<typeof ListPortShares>): Promise<PortShares> {
  const workspace = await call.db.workspace.findUnique({
    where: { id: input.workspace, deleted: false },
    select: {
      id: true,
      ownerId: true,
      organizationId: true,
      dormantAt: true,
      portShares: { select: shareSelect, orderBy: [{ port: 'asc' }, { agentName: 'asc' }] },
    },
  });
  if (workspace === null) throw notFound();
  call.authorize.require(workspaceObject(workspace));
  return { shares: workspace.portShares.map(presentShare) };
}

/**
 * Shares a port of an agent of the latest build, or changes how it is shared.
 *
 * @throws invalid for the level `owner`, a level above what the template allows, and an agent that is not there; conflict for too many.
 */
export async function upsertPortShare(call: UserCall, input: z.output<typeof UpsertPortShare>): Promise<PortShare> {
  const { db, services } = call;
  const workspace = await holdWorkspace(call, input.workspace);
  const { agent_name: agentName, port, share_level: shareLevel, protocol } = input;
  call.audit.update({ additionalFields: { agent_name: agentName, port, share_level: shareLevel, protocol } });
  if (shareLevel === 'owner') {
    throw invalidField(
      'share_level',
      'must be authenticated or public: a port that is not shared is its owner’s alone, so delete the share',
    );
  }
  const { maxPortShareLevel } = await db.template.findUniqueOrThrow({
    where: { id: workspace.templateId },
    select: { maxPortShareLevel: true },
  });
  if (SHARING_LEVELS.indexOf(shareLevel) > SHARING_LEVELS.indexOf(maxPortShareLevel as SharingLevel)) {
    throw invalidField('share_level', `must not be above ${maxPortShareLevel}, the most that the template of this workspace allows`);
  }
  if (!(await hasAgent(call, workspace.latestBuildId, agentName))) {
    throw invalidField('agent_name', 'is not an agent of the latest build of this workspace');
  }
  const key = { workspaceId: workspace.id, agentName, port };
  const before = await db.workspacePortShare.findUnique({ where: { workspaceId_agentName_port: key }, select: shareSelect });
  if (before === null && (await db.workspacePortShare.count({ where: { workspaceId: workspace.id } })) >= SHARES_MAX) {
    throw conflict(`A workspace shares at most ${SHARES_MAX} ports. Delete a share first.`);
  }
  const now = services.clock.now();
  const share = await db.workspacePortShare.upsert({
    where: { workspaceId_agentName_port: key },
    create: { ...key, shareLevel, protocol, createdAt: now, updatedAt: now },
    update: { shareLevel, protocol, updatedAt: now },
    select: shareSelect,
  });
  await tellWatchers(call, workspace);
  return presentShare(share);
}

/** Makes a port its owner's alone again. @throws not_found when it is not shared. */
export async function deletePortShare(call: UserCall, input: z.output<typeof DeletePortShare>): Promise<Confirmation> {
  const workspace = await holdWorkspace(call, input.workspace);
  const { agent_name: agentName, port } = input;
  call.audit.update({ additionalFields: { agent_name: agentName, port, share_level: 'owner' } });
  const { count } = await call.db.workspacePortShare.deleteMany({ where: { workspaceId: workspace.id, agentName, port } });
  if (count === 0) throw notFound();
  await tellWatchers(call, workspace);
  return confirmed(`The port ${port} is its owner’s alone again.`);
}

async function hasAgent(call: UserCall, latestBuildId: string | null, agentName: string): Promise<boolean> {
  if (latestBuildId === null) return false;
  const build = await call.db.workspaceBuild.findUnique({ where: { id: latestBuildId }, select: { jobId: true } });
  if (build === null) return false;
  const agent = await call.db.workspaceAgent.findFirst({
    where: { name: agentName, resource: { jobId: build.jobId } },
    select: { id: true },
  });
  return agent !== null;
}

async function tellWatchers({ db, services }: UserCall, workspace: { readonly id: string; readonly ownerId: string }): Promise<void> {
  await services.bus.publish(db, workspaceChannel, { workspace_id: workspace.id, owner_id: workspace.ownerId, kind: 'port_shares' });
}
