import { givenTemplateFile } from '@berth/api/testing';
import { newId } from '@berth/core';
import { uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestServer } from '../testing/index.ts';
import { createFixture } from '../testing/matrix/fixture.ts';

const server = await createTestServer();
const { prisma, rest } = server;
const fixture = await createFixture(server);
const { organization, template, rows } = fixture;
const owner = await rows.user({ siteRoles: ['owner'], memberOf: [organization.id] });
const key = await server.keyOf(owner.id);
/** More than the pool has connections, so that those who wait for one while they hold one would wait for ever. */
const CALLERS = 30;

async function race(
  path: string,
  bodyOf: (index: number) => object | Promise<object>,
): Promise<{ won: unknown[]; refused: number[]; ids: string[] }> {
  const bodies = await Promise.all(Array.from({ length: CALLERS }, async (_, index) => bodyOf(index)));
  const answers = await Promise.all(bodies.map((body) => rest({ method: 'POST', path, body, key })));
  return {
    won: answers.filter(({ status }) => status < 300).map(({ body }) => body),
    refused: answers.filter(({ status }) => status >= 300).map(({ status }) => status),
    ids: answers.map(({ headers }) => String(headers['x-request-id'])),
  };
}

const sameName = {
  user: () => {
    const username = uniqueName('user');
    return {
      path: '/users',
      body: (index: number) => ({
        email: `${username}${index}@example.com`,
        username: index % 2 === 0 ? username : username.toUpperCase(),
        login_type: 'none',
        organization_ids: [organization.id],
      }),
    };
  },
  'user by e-mail': () => {
    const email = `${uniqueName('user')}@example.com`;
    return {
      path: '/users',
      body: (index: number) => ({
        email: index % 2 === 0 ? email : email.toUpperCase(),
        username: uniqueName('user'),
        login_type: 'none',
        organization_ids: [organization.id],
      }),
    };
  },
  'user with a password': () => {
    const username = uniqueName('user');
    return {
      path: '/users',
      body: () => ({
        email: `${username}@example.com`,
        username,
        password: 'correct horse battery staple',
        organization_ids: [organization.id],
      }),
    };
  },
  group: () => {
    const name = uniqueName('group');
    return { path: `/organizations/${organization.id}/groups`, body: () => ({ name }) };
  },
  organization: () => {
    const name = uniqueName('org');
    return { path: '/organizations', body: (index: number) => ({ name: index % 2 === 0 ? name : name.toUpperCase() }) };
  },
  proxy: () => {
    const name = uniqueName('proxy');
    return { path: '/workspaceproxies', body: () => ({ name }) };
  },
  application: () => {
    const name = uniqueName('app');
    return { path: '/oauth2-provider/apps', body: () => ({ name, callback_url: 'https://app.example.com' }) };
  },
  template: () => {
    const name = uniqueName('template');
    return {
      path: `/organizations/${organization.id}/templates`,
      body: async () => ({ name, template_version_id: (await rows.version({ organization })).version.id }),
    };
  },
  'template version': () => {
    const name = uniqueName('version');
    const file = givenTemplateFile(prisma, { createdById: owner.id });
    return {
      path: `/organizations/${organization.id}/templateversions`,
      body: async () => ({ name, template_id: template.id, provisioner: 'process', storage_method: 'file', file_id: (await file).id }),
    };
  },
  workspace: () => {
    const name = uniqueName('ws');
    return {
      path: '/users/me/workspaces',
      body: (index: number) => ({ name: index % 2 === 0 ? name : name.toUpperCase(), template_id: template.id }),
    };
  },
  token: () => {
    const name = uniqueName('token');
    return { path: '/users/me/keys/tokens', body: () => ({ token_name: name }) };
  },
};

describe('of many who make a thing of one name at the same time', () => {
  it.each(Object.entries(sameName))('exactly one succeeds and the others get 409: %s', async (_, of) => {
    const { path, body } = of();
    const { won, refused, ids } = await race(path, body);
    expect(refused).toEqual(Array.from({ length: CALLERS - 1 }, () => 409));
    expect(won).toHaveLength(1);
    const recorded = await prisma.auditLog.findMany({
      where: { requestId: { in: ids }, statusCode: { lt: 400 } },
      select: { requestId: true },
    });
    expect(new Set(recorded.map(({ requestId }) => requestId)).size).toBeLessThanOrEqual(1);
  });

  it('exactly one makes the first account', async () => {
    const fresh = await createTestServer();
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        fresh.rest({
          method: 'POST',
          path: '/users/first',
          body: { email: `u${index}@example.com`, username: `u${index}`, password: 'correct horse battery staple' },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(11);
    expect(await fresh.prisma.user.count()).toBe(1);
    expect(await fresh.prisma.auditLog.count({ where: { statusCode: { lt: 400 } } })).toBe(1);
  });

  it('exactly one starts the build of a workspace', async () => {
    const { workspace } = await rows.workspace({ organization, template });
    const { won, refused } = await race(`/workspaces/${workspace.id}/builds`, () => ({ transition: 'stop' }));
    expect(refused).toEqual(Array.from({ length: CALLERS - 1 }, () => 409));
    expect(won).toHaveLength(1);
    expect(await prisma.workspaceBuild.count({ where: { workspaceId: workspace.id } })).toBe(2);
  });

  it('exactly one stores a file, and all get its id', async () => {
    const payload = Buffer.alloc(1024);
    payload.write(newId(), 600);
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, () =>
        server.app.inject({
          method: 'POST',
          url: '/api/v2/files',
          headers: { 'service-session-token': key, 'content-type': 'application/x-tar' },
          payload: Buffer.alloc(2048),
        }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 201)).toHaveLength(1);
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(CALLERS - 1);
    expect(new Set(answers.map((answer) => answer.json<{ hash: string }>().hash)).size).toBe(1);
  });

  it('exactly one makes a template of a version', async () => {
    const { version } = await rows.version({ organization });
    const { won, refused } = await race(`/organizations/${organization.id}/templates`, () => ({
      name: uniqueName('template'),
      template_version_id: version.id,
    }));
    expect(won).toHaveLength(1);
    for (const status of refused) expect([400, 409]).toContain(status);
  });
});

const removable: Record<string, () => Promise<string>> = {
  proxy: async () => `/workspaceproxies/${(await fixture.caller.workspaceProxies.create({ name: uniqueName('proxy') })).id}`,
  application: async () =>
    `/oauth2-provider/apps/${(await fixture.caller.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://a.example.com' })).id}`,
  'application secret': async () => {
    const [secret] = await fixture.caller.oauth2Apps.createSecret({ app: fixture.app.id });
    return `/oauth2-provider/apps/${fixture.app.id}/secrets/${secret?.id}`;
  },
  user: async () => `/users/${(await rows.user({ memberOf: [organization.id] })).id}`,
  member: async () => `/organizations/${organization.id}/members/${(await rows.user({ memberOf: [organization.id] })).id}`,
  group: async () => `/groups/${(await rows.group({ organizationId: organization.id })).id}`,
  role: async () => `/organizations/${organization.id}/members/roles/${(await rows.role({ organizationId: organization.id })).name}`,
  'linked account': async () => {
    const user = await rows.user();
    return `/users/${user.id}/identities/${(await rows.identity({ userId: user.id })).id}`;
  },
  organization: async () => `/organizations/${(await rows.organization()).id}`,
  token: async () => `/users/${fixture.holder.id}/keys/${(await server.keyOf(fixture.holder.id)).split('-')[0]}`,
};

describe('of many who remove the same thing at the same time', () => {
  it.each(Object.entries(removable))('exactly one does, is recorded, and the others find nothing: %s', async (_, make) => {
    const path = await make();
    const answers = await Promise.all(Array.from({ length: CALLERS }, () => rest({ method: 'DELETE', path, key })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status >= 300)).toEqual(Array.from({ length: CALLERS - 1 }, () => 404));
    const ids = answers.map(({ headers }) => String(headers['x-request-id']));
    expect(await prisma.auditLog.count({ where: { requestId: { in: ids }, statusCode: { lt: 400 } } })).toBe(1);
  });
});

describe('of many who cancel the same thing at the same time', () => {
  it('no one gets an internal error, and it is canceled', async () => {
    const { build, job } = await rows.workspace({ organization, template, status: 'running' });
    const answers = await Promise.all(
      Array.from({ length: CALLERS }, () => rest({ method: 'PATCH', path: `/workspacebuilds/${build.id}/cancel`, body: {}, key })),
    );
    for (const { status } of answers) expect([200, 400, 409]).toContain(status);
    expect(await prisma.provisionerJob.findUniqueOrThrow({ where: { id: job.id } })).toMatchObject({ canceledAt: expect.any(Date) });
  });
});

describe('of many who change and remove the same thing at the same time', () => {
  it('everyone either did it or found nothing', async () => {
    const proxy = await removable['proxy']?.();
    const application = await removable['application']?.();
    const calls = [proxy, application].flatMap((path = '') =>
      Array.from({ length: 12 }, (_, index) =>
        index % 3 === 0
          ? rest({ method: 'DELETE', path, key })
          : rest({ method: path.includes('oauth2') ? 'PUT' : 'PATCH', path, body: { icon: `/icon/${index}.svg` }, key }),
      ),
    );
    for (const { status, body } of await Promise.all(calls)) expect([200, 204, 404], JSON.stringify(body)).toContain(status);
  });
});
