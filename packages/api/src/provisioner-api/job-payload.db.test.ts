import { newId } from '@berth/core';
import { describe, expect, test } from 'vitest';
import { ExternalAuthSettings } from '../external-auth/settings.ts';
import { grantColumns } from '../external-auth/link-row.ts';
import { LEASE_SECONDS, MAX_ATTEMPTS } from '../provisioner-jobs/lease.ts';
import { reapLostJobs } from '../provisioner-jobs/reap.ts';
import { sealedContext } from '../sealing/index.ts';
import { createTestProvisioner } from './test-provisioner.ts';

const provider = { type: 'other', client_id: 'x', token_url: 'http://127.0.0.1:9/token', authorize_url: 'http://127.0.0.1:9/authorize' };
const externalAuth = ExternalAuthSettings.parse([
  { ...provider, id: 'needed' },
  { ...provider, id: 'not-asked-for' },
]);
const { prisma, services, clock, make, callAsUser, organizationId, api, givenWaitingBuild, givenDaemon, acquired } =
  await createTestProvisioner({
    externalAuth,
  });

type Driver = 'process' | 'container' | 'terraform';

/** A waiting build of an owner who has everything that a template may ask for. */
async function givenBuild(provisioner: Driver, transition: 'start' | 'stop' | 'delete' = 'start') {
  const made = await givenWaitingBuild(transition);
  const { owner, version, job } = made;
  await prisma.provisionerJob.update({ where: { id: job.id }, data: { provisioner } });
  await prisma.templateVersion.update({ where: { id: version.id }, data: { externalAuthProviders: [{ id: 'needed', optional: false }] } });
  for (const providerId of ['needed', 'not-asked-for']) {
    const key = { userId: owner.id, providerId };
    const grant = { accessToken: `token of ${providerId}`, refreshToken: null, expiresInSeconds: null, extra: {} };
    await prisma.externalAuthLink.create({ data: { ...key, ...grantColumns(services, key, grant) } });
  }
  const identityId = newId();
  await prisma.userIdentity.create({
    data: {
      id: identityId,
      userId: owner.id,
      providerId: 'idp',
      kind: 'oidc',
      issuer: 'https://idp.example.com',
      subject: owner.id,
      sealedAccessToken: services.sealer.seal('oidc token', sealedContext('user_identities', 'sealed_access_token', [identityId])),
      tokenExpiresAt: new Date(clock.now().getTime() + 3_600_000),
    },
  });
  const group = await make.group({ organizationId: organizationId(), memberIds: [owner.id] });
  return { ...made, identityId, group };
}

async function nextBuild(provisioners: Driver[] = ['process', 'container', 'terraform']) {
  const session_id = newId();
  const { daemon_id } = await api().registerDaemon({
    name: 'all drivers',
    session_id,
    version: 'v1',
    provisioners,
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  });
  const { job, lease } = await acquired({ daemon_id, session_id });
  if (job.kind !== 'workspace_build') throw new Error('no build');
  return { job, lease };
}

const tokensOf = (userId: string) => prisma.apiKey.findMany({ where: { userId, tokenName: { endsWith: '_session_token' } } });
const done = { state: '', timings: [] };

describe('what is the owner’s', () => {
  test('goes to Terraform: groups, login type, key pair, provider tokens, and a session token that works', async () => {
    const { owner, workspace, group } = await givenBuild('terraform');
    const { job } = await nextBuild();
    expect(job.external_auth).toEqual([{ id: 'needed', access_token: 'token of needed' }]);
    expect(job.workspace.owner).toMatchObject({ login_type: owner.loginType, oidc_access_token: 'oidc token' });
    expect(job.workspace.owner.groups).toEqual(expect.arrayContaining([group.name, 'Everyone']));
    expect(job.workspace.owner.ssh_public_key).toMatch(/^ssh-/);
    expect(job.workspace.owner.ssh_private_key).toContain('PRIVATE KEY');
    await expect(services.authenticator.byToken(job.workspace.owner.session_token, '')).resolves.toMatchObject({
      kind: 'user',
      userId: owner.id,
    });
    const [token] = await tokensOf(owner.id);
    expect(token).toMatchObject({ tokenName: `${owner.id}_${workspace.id}_session_token` });
    expect(token?.absoluteExpiresAt.getTime()).toBeLessThanOrEqual(clock.now().getTime() + 30 * 86_400_000);
    const listed = JSON.stringify(await callAsUser(owner.id).tokens.list({ user: 'me' }));
    expect(listed).not.toContain(job.workspace.owner.session_token.split('-')[1]);
  });

  test.each(['process', 'container'] as const)('goes not to the %s driver', async (driver) => {
    const { owner } = await givenBuild(driver);
    const { job } = await nextBuild();
    expect(job.external_auth).toEqual([]);
    expect(job.workspace.owner).toEqual({
      id: owner.id,
      username: owner.username,
      email: owner.email,
      name: owner.name,
      groups: [],
      login_type: '',
      session_token: '',
      oidc_access_token: '',
      ssh_public_key: '',
      ssh_private_key: '',
    });
    expect(await tokensOf(owner.id)).toEqual([]);
  });

  test('is left out where it does not work any more', async () => {
    const { owner, identityId } = await givenBuild('terraform');
    await prisma.userIdentity.update({ where: { id: identityId }, data: { tokenExpiresAt: new Date(clock.now().getTime() - 1) } });
    await prisma.externalAuthLink.updateMany({ where: { userId: owner.id }, data: { expiresAt: new Date(clock.now().getTime() - 1) } });
    const { job } = await nextBuild();
    expect(job.external_auth).toEqual([]);
    expect(job.workspace.owner.oidc_access_token).toBe('');
  });
});

describe('the session token of a workspace', () => {
  async function givenRunning() {
    const made = await givenBuild('terraform');
    const { job, lease } = await nextBuild();
    await api().completeBuild({ ...lease, ...done });
    return { ...made, token: job.workspace.owner.session_token };
  }
  const next = (
    workspace: Awaited<ReturnType<typeof givenRunning>>['workspace'],
    version: { id: string },
    transition: 'start' | 'stop' | 'delete',
  ) => make.build({ workspace, templateVersionId: version.id, transition, status: 'pending', job: { provisioner: 'terraform' } });

  test('is a new one at each start; the one before ends at once', async () => {
    const { owner, workspace, version, token } = await givenRunning();
    await next(workspace, version, 'start');
    const { job } = await nextBuild();
    expect(job.workspace.owner.session_token).not.toBe(token);
    expect(await tokensOf(owner.id)).toHaveLength(1);
    await expect.poll(() => services.authenticator.byToken(token, '')).toBeNull();
  });

  test.each(['stop', 'delete'] as const)('ends with a %s', async (transition) => {
    const { owner, workspace, version } = await givenRunning();
    await next(workspace, version, transition);
    const { job } = await nextBuild();
    expect(job.workspace.owner.session_token).toBe('');
    expect(await tokensOf(owner.id)).toEqual([]);
  });

  test('ends with a start that fails, is canceled or is lost', async () => {
    const ends = [
      (lease: { job_id: string; lease_token: string }) => api().failJob({ ...lease, error: 'no', error_code: '', canceled: false }),
      (lease: { job_id: string; lease_token: string }) => api().failJob({ ...lease, error: '', error_code: '', canceled: true }),
      async ({ job_id }: { job_id: string }) => {
        await prisma.provisionerJob.update({ where: { id: job_id }, data: { attempt: MAX_ATTEMPTS } });
        clock.advance(LEASE_SECONDS * 1000 + 1);
        await reapLostJobs(services);
      },
    ];
    for (const end of ends) {
      const { owner } = await givenBuild('terraform');
      const { lease } = await nextBuild();
      expect(await tokensOf(owner.id)).toHaveLength(1);
      await end(lease);
      expect(await tokensOf(owner.id)).toEqual([]);
    }
  });

  test('is not made for an owner whose account is suspended', async () => {
    const { owner } = await givenBuild('terraform');
    await prisma.user.update({ where: { id: owner.id }, data: { status: 'suspended' } });
    const { job } = await nextBuild();
    expect(job.workspace.owner.session_token).toBe('');
    expect(await tokensOf(owner.id)).toEqual([]);
  });
});

test('a daemon without Terraform gets no build of it', async () => {
  await givenBuild('terraform');
  const { acquireJob } = api();
  const daemon = await givenDaemon();
  expect((await acquireJob({ ...daemon, wait_ms: 0 })).job).toBeNull();
});
