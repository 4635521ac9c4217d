import { decodeJwt, decodeProtectedHeader } from 'jose';
import { derivedKey } from '@berth/core/secrets';
import { given } from '@berth/testing';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Principal } from '../kernel/context.ts';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import type { AppRequest } from './app-request.ts';
import { openApp } from './open-app.ts';

const { prisma, clock, services, countStatements } = await createTestApi();
const rows = given(prisma);
const siteOwner = await rows.user({ siteRoles: ['owner'] });
const NOBODY: Principal = { kind: 'anonymous' };
const facts = { requestId: '', ip: '192.0.2.1', userAgent: 'test' };

type App = NonNullable<Parameters<typeof rows.agent>[0]['apps']>[number];

async function withApps(apps: readonly App[]) {
  const made = await rows.workspace();
  const { agent, token } = await rows.agent({ jobId: made.job.id, connected: true, apps });
  return { ...made, agent, token, principal: await userPrincipal(prisma, made.owner.id) };
}
type Made = Awaited<ReturnType<typeof withApps>>;

function below({ owner, workspace }: Made, slug = 'code', more: Partial<AppRequest> = {}): AppRequest {
  const basePath = `/@${owner.username}/${workspace.name}/apps/${slug}/`;
  return {
    accessMethod: 'path',
    basePath,
    owner: owner.username,
    workspace: workspace.name,
    agent: '',
    target: { kind: 'app', slug },
    ...more,
  };
}

function onHost({ owner, workspace, agent }: Made, slug = 'code'): AppRequest {
  const names = { owner: owner.username, workspace: workspace.name, agent: agent.name };
  return { accessMethod: 'subdomain', basePath: '/', ...names, target: { kind: 'app', slug } };
}

const open = (request: AppRequest, principal: Principal, tokens: readonly string[] = [], host = '') =>
  openApp(services, { request, host, principal, tokens, facts });

describe('an app whose health check names its workspace', () => {
  /** As a build stores it, with the id of the workspace. */
  async function withCheck(health: string, path: (workspaceId: string) => string) {
    const made = await withApps([{ slug: 'code', url: 'http://localhost:8080' }]);
    const healthcheckUrl = `http://localhost:8080${path(made.workspace.id)}`;
    await prisma.workspaceApp.updateMany({ where: { agentId: made.agent.id }, data: { healthcheckUrl, health } });
    return made;
  }

  it.each(['initializing', 'unhealthy'])('does not open while it is %s: another workspace may answer on the port', async (health) => {
    const made = await withCheck(health, (id) => `/health/${id}`);
    const { owner, workspace } = made;
    await expect(open(below(made), made.principal)).rejects.toMatchObject({
      reason: 'not_confirmed',
      workspace: `${owner.username}/${workspace.name}`,
    });
  });

  it('opens once it is healthy, and any other app whatever its health', async () => {
    const confirmed = await withCheck('healthy', (id) => `/health/${id}`);
    await expect(open(below(confirmed), confirmed.principal)).resolves.toMatchObject({ target: { port: 8080 } });
    const other = await withCheck('unhealthy', () => '/health');
    await expect(open(below(other), other.principal)).resolves.toMatchObject({ target: { port: 8080 } });
  });

  it('does not tell strangers that it exists', async () => {
    const made = await withCheck('unhealthy', (id) => `/health/${id}`);
    await expect(open(below(made), NOBODY)).rejects.toMatchObject({ reason: 'not_signed_in' });
  });
});

describe('an app below a path', () => {
  const app = { slug: 'code', url: 'http://localhost:8080/base/' };

  it('is where its URL says, for the owner, by name or id', async () => {
    const made = await withApps([app]);
    const { owner, workspace, principal } = made;
    const target = { agentId: made.agent.id, protocol: 'http', port: 8080, basePath: '/base' };
    for (const more of [
      {},
      { workspace: workspace.name.toUpperCase() },
      { owner: 'me', agent: 'MAIN' },
      { owner: owner.id, workspace: workspace.id },
    ]) {
      await expect(open(below(made, 'code', more), principal)).resolves.toMatchObject({ target });
    }
    await expect(open(below(made, 'code', { agent: 'other' }), principal)).rejects.toMatchObject({ reason: 'not_found' });
    await expect(open(below(made, 'nope'), principal)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('does not exist for anyone else, whatever its sharing level, site owners included', async () => {
    const made = await withApps([{ ...app, sharingLevel: 'public' }]);
    await expect(open(below(made), await userPrincipal(prisma, siteOwner.id))).rejects.toMatchObject({ kind: 'not_found' });
    await expect(open(below(made), NOBODY)).rejects.toMatchObject({ kind: 'unauthenticated' });
  });

  it('does not exist when the workspace is dormant or deleted, or the app is external or has a host of its own', async () => {
    const made = await withApps([
      app,
      { slug: 'ext', external: true, url: 'https://example.com' },
      { slug: 'sub', subdomain: true, url: 'http://localhost:1234' },
    ]);
    const { principal, workspace } = made;
    for (const slug of ['ext', 'sub']) await expect(open(below(made, slug), principal)).rejects.toMatchObject({ reason: 'not_found' });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { dormantAt: new Date() } });
    await expect(open(below(made), principal)).rejects.toMatchObject({ reason: 'not_found' });
    await prisma.workspace.update({ where: { id: workspace.id }, data: { dormantAt: null, deleted: true } });
    await expect(open(below(made), principal)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('is never another host', async () => {
    const made = await withApps([{ slug: 'code', url: 'http://169.254.169.254/latest' }]);
    await expect(open(below(made), made.principal)).rejects.toMatchObject({ reason: 'bad_address' });
  });

  it('of two agents needs to be told which one', async () => {
    const made = await withApps([app]);
    const second = await rows.agent({ jobId: made.job.id, name: 'second', apps: [app] });
    await expect(open(below(made), made.principal)).rejects.toMatchObject({ reason: 'not_found' });
    const opened = await open(below(made, 'code', { agent: 'second' }), made.principal);
    expect(opened.target.agentId).toBe(second.agent.id);
  });
});

describe('a workspace without the app', () => {
  it('tells only those who can connect to it that it is stopped or starting', async () => {
    const made = await withApps([{ slug: 'code', url: 'http://localhost:8080' }]);
    const stranger = await userPrincipal(prisma, (await rows.user()).id);
    for (const [build, reason, isOwner] of [
      [{ transition: 'stop' }, 'stopped', true],
      [{ transition: 'start', status: 'pending' }, 'starting', false],
    ] as const) {
      await rows.build({ workspace: made.workspace, templateVersionId: made.version.id, ...build });
      const refusal = { reason, isOwner, workspace: `${made.owner.username}/${made.workspace.name}` };
      await expect(open(below(made), made.principal)).rejects.toMatchObject(refusal);
      await expect(open(below(made), stranger)).rejects.toMatchObject({ reason: 'not_found', workspace: null });
      await expect(open(below(made), NOBODY)).rejects.toMatchObject({ reason: 'not_signed_in', workspace: null });
    }
  });
});

describe('a token of an app', () => {
  const app = { slug: 'code', subdomain: true, sharingLevel: 'authenticated', url: 'http://localhost:8080' };

  async function withToken() {
    const made = await withApps([app, { ...app, slug: 'other' }]);
    const token = (await (await open(onHost(made), made.principal)).token()) ?? '';
    return { ...made, token };
  }

  it('says where the address leads, for a minute', async () => {
    const { token, owner, workspace, agent } = await withToken();
    expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'HS512', kid: expect.stringMatching(/^[0-9a-f]{8}$/) });
    const claims = decodeJwt(token);
    expect(claims).toMatchObject({
      user_id: owner.id,
      workspace_id: workspace.id,
      agent_id: agent.id,
      app_url: 'http://localhost:8080',
      request: {
        access_method: 'subdomain',
        base_path: '/',
        app_prefix: '',
        username_or_id: owner.username,
        workspace_name_or_id: workspace.name,
        agent_name_or_id: agent.name,
        app_slug_or_port: 'code',
      },
    });
    expect(Number(claims.exp) * 1000 - clock.now().getTime()).toBeLessThanOrEqual(60_000);
  });

  it('spares a request the statement that looks names up, and is not made again while it is good', async () => {
    const made = await withToken();
    expect(await countStatements(() => open(onHost(made), made.principal))).toBe(2);
    expect(await countStatements(() => open(onHost(made), made.principal, [made.token]))).toBe(1);
    expect(await (await open(onHost(made), made.principal, ['x', made.token])).token()).toBeNull();
  });

  it('never takes the place of the question who may open it', async () => {
    const made = await withToken();
    const stranger = await userPrincipal(prisma, (await rows.user()).id);
    const theirs = (await (await open(onHost(made), stranger)).token()) ?? '';
    await prisma.workspaceApp.updateMany({ where: { agentId: made.agent.id }, data: { sharingLevel: 'owner' } });
    await expect(open(onHost(made), stranger, [theirs])).rejects.toMatchObject({ reason: 'not_found' });
    await expect(open(onHost(made), stranger, [made.token])).rejects.toMatchObject({ reason: 'not_found' });
    await expect(open(onHost(made), NOBODY, [made.token])).rejects.toMatchObject({ reason: 'not_signed_in' });
  });

  it('is ignored when it is of another app, host or visitor, over, cut, or signed by another key', async () => {
    const made = await withToken();
    const statements = (request: AppRequest, principal: Principal, tokens: string[], host = '') =>
      countStatements(() => open(request, principal, tokens, host));
    const second = await withApps([app]);
    const stranger = await userPrincipal(prisma, (await rows.user()).id);
    expect(await statements(onHost(made, 'other'), made.principal, [made.token])).toBe(2);
    expect(await statements(onHost(second), second.principal, [made.token])).toBe(2);
    expect(await statements(onHost(made), stranger, [made.token])).toBe(2);
    expect(await statements(onHost(made), made.principal, [made.token], `x---code--main.apps.berth.test`)).toBe(2);
    expect(await statements(onHost(made), made.principal, [made.token.slice(0, -4)])).toBe(2);
    const claims = decodeJwt(made.token);
    const sign = (key: Uint8Array, alg = 'HS512') => new SignJWT(claims).setProtectedHeader({ alg }).sign(key);
    const { deploymentKey } = services.settings;
    expect(await statements(onHost(made), made.principal, [await sign(derivedKey(deploymentKey, 'app tokens', 64), 'HS256')])).toBe(2);
    expect(await statements(onHost(made), made.principal, [await sign(derivedKey(deploymentKey, 'app sessions', 64))])).toBe(2);
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${made.token.split('.')[1]}.`;
    expect(await statements(onHost(made), made.principal, [unsigned])).toBe(2);
    // Of many, only the first few are looked at.
    expect(await statements(onHost(made), made.principal, ['1', '2', '3', '4', made.token])).toBe(2);
    clock.advance(61_000);
    expect(await statements(onHost(made), made.principal, [made.token])).toBe(2);
  });

  it('leads nowhere once the names mean something else', async () => {
    const made = await withToken();
    await prisma.workspace.update({ where: { id: made.workspace.id }, data: { name: 'renamed' } });
    await expect(open(onHost(made), made.principal, [made.token])).rejects.toMatchObject({ reason: 'not_found' });
    const other = await withToken();
    const { job } = await rows.build({ workspace: other.workspace, templateVersionId: other.version.id });
    const { agent } = await rows.agent({ jobId: job.id, connected: true, apps: [app] });
    expect((await open(onHost(other), other.principal, [other.token])).target.agentId).toBe(agent.id);
  });
});
