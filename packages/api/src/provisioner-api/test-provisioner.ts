import { newId } from '@berth/core';
import type { ProvisionedResource } from '@berth/protocol';
import { given } from '@berth/testing';
import { beforeEach } from 'vitest';
import type { ProvisionerPrincipal, Settings } from '../kernel/context.ts';
import { createTestApi } from '../testing/index.ts';

export interface Daemon {
  readonly daemon_id: string;
  readonly session_id: string;
}

/** A resource with one agent, as a driver plans it. */
export const RESOURCE: ProvisionedResource = {
  name: 'home',
  type: 'process',
  icon: '',
  hide: false,
  daily_cost: 3,
  metadata: [],
  agents: [
    {
      name: 'main',
      operating_system: 'linux',
      architecture: 'amd64',
      directory: '/home/dev',
      environment: { LANG: 'C.UTF-8' },
      connection_timeout_seconds: 120,
      troubleshooting_url: '',
      motd_file: '',
      display_apps: ['web_terminal'],
      order: 0,
      instance_id: '',
      apps: [],
      scripts: [],
      metadata: [],
    },
  ],
};

/**
 * An API whose every test has an organization of its own, with a member who may do everything to its templates and a provisioner.
 * Call at the top level of a test file.
 */
export async function createTestProvisioner(settings: Partial<Settings> = {}) {
  const testApi = await createTestApi(settings);
  const { prisma, callAs, callAsUser, clock } = testApi;
  const make = given(prisma);
  let organizationId = '';
  let userId = '';
  beforeEach(async () => {
    organizationId = (await make.organization()).id;
    // The resources that these tests plan cost something.
    await prisma.group.update({ where: { id: organizationId }, data: { quotaAllowance: 1_000_000 } });
    userId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
  });

  const principal = (): ProvisionerPrincipal => ({ kind: 'provisioner', organizationId, keyId: null, tags: {} });
  const api = () => callAs(principal()).provisionerApi;

  async function givenDaemon(
    name = 'one',
    { tags = {}, sessionId = newId() }: { tags?: Record<string, string>; sessionId?: string } = {},
  ): Promise<Daemon> {
    const { daemon_id } = await api().registerDaemon({
      name,
      session_id: sessionId,
      version: 'v1',
      provisioners: ['process'],
      tags,
      sandbox: { kind: 'none', detail: '' },
    });
    return { daemon_id, session_id: sessionId };
  }

  /** A version whose import waits. */
  async function givenImport({ tags = {}, ...job }: { tags?: Record<string, string>; createdAt?: Date; input?: object } = {}) {
    return make.version({
      organization: await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } }),
      createdBy: await prisma.user.findUniqueOrThrow({ where: { id: userId } }),
      status: 'pending',
      job: { tags: { scope: 'organization', owner: '', ...tags }, ...job },
    });
  }

  /** A workspace whose first build waits. */
  async function givenWaitingBuild(transition: 'start' | 'stop' | 'delete', workspace: { ttlMs?: bigint } = {}) {
    const organization = await prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
    const { template } = await make.template({ organization });
    return make.workspace({ template, transition, status: 'pending', ...workspace });
  }

  async function acquire(daemon: Daemon, waitMs = 0) {
    return (await api().acquireJob({ ...daemon, wait_ms: waitMs })).job;
  }

  /** The job that a daemon gets now, and what it shows to act on it. */
  async function acquired(daemon: Daemon) {
    const job = await acquire(daemon);
    if (job === null) throw new Error('no job waits for this daemon');
    return { job, lease: { job_id: job.id, lease_token: job.lease_token } };
  }

  return {
    ...testApi,
    make,
    api,
    principal,
    organizationId: () => organizationId,
    userId: () => userId,
    /** The API as the template admin of the organization. */
    user: () => callAsUser(userId),
    givenDaemon,
    givenImport,
    givenWaitingBuild,
    acquire,
    acquired,
    line: (output: string, millis = 0) => ({
      level: 'info' as const,
      stage: 'Planning',
      output,
      created_at: new Date(clock.now().getTime() + millis).toISOString(),
    }),
    logsOf: async (jobId: string) =>
      (await prisma.provisionerJobLog.findMany({ where: { jobId }, orderBy: { id: 'asc' } })).map((row) => row.output),
  };
}
