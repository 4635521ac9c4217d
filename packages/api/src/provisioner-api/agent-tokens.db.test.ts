import { NIL_UUID, newId } from '@berth/core';
import { expect, test } from 'vitest';
import { RESOURCE, createTestProvisioner } from './test-provisioner.ts';

const { prisma, services, api, make, givenDaemon, givenWaitingBuild, acquired } = await createTestProvisioner();

const [AGENT] = RESOURCE.agents;
if (AGENT === undefined) throw new Error('the resource has no agent');
const agent = AGENT;
const withTokens = (...tokens: string[]) => [
  { ...RESOURCE, agents: tokens.map((token, index) => ({ ...agent, name: `agent-${index}`, token })) },
];

async function givenPlanned(tokens: string[]) {
  const made = await givenWaitingBuild('start');
  const { lease } = await acquired(await givenDaemon());
  const { agents } = await api().planned({ ...lease, resources: withTokens(...tokens) });
  return { ...made, lease, agents };
}

const agentBy = (token: string) => services.authenticator.byToken(token, '');

test('an agent whose token the driver’s tool made comes in with that one', async () => {
  const token = newId();
  const { workspace, agents } = await givenPlanned([token]);
  expect(agents).toMatchObject([{ name: 'agent-0', token }]);
  await expect(agentBy(token)).resolves.toMatchObject({ kind: 'agent', workspaceId: workspace.id });
  const [row] = await prisma.workspaceAgent.findMany({ where: { id: agents[0]?.id ?? '' } });
  expect(JSON.stringify(row)).not.toContain(token);
});

test('the token of another workspace’s agent cannot be claimed, and stays that agent’s', async () => {
  const token = newId();
  const first = await givenPlanned([token]);
  await api().completeBuild({ ...first.lease, state: '', timings: [] });
  await givenWaitingBuild('start');
  const { lease } = await acquired(await givenDaemon());
  await expect(api().planned({ ...lease, resources: withTokens(token) })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(agentBy(token)).resolves.toMatchObject({ workspaceId: first.workspace.id });
  expect(await prisma.workspaceResource.count({ where: { jobId: lease.job_id } })).toBe(0);
});

test('a workspace’s next build may bring the token of the build before', async () => {
  const token = newId();
  const { workspace, version, lease: first, agents } = await givenPlanned([token]);
  await api().completeBuild({ ...first, state: '', timings: [] });
  await make.build({ workspace, templateVersionId: version.id, status: 'pending' });
  const { lease } = await acquired(await givenDaemon());
  const again = await api().planned({ ...lease, resources: withTokens(token) });
  expect(again.agents[0]?.id).not.toBe(agents[0]?.id);
  await expect(agentBy(token)).resolves.toMatchObject({ agentId: again.agents[0]?.id });
});

test('a second plan of the same build keeps a given token', async () => {
  const token = newId();
  const { lease } = await givenPlanned([token]);
  await expect(api().planned({ ...lease, resources: withTokens(token) })).resolves.toMatchObject({ agents: [{ token }] });
});

test('tokens that are guessable or given twice are refused', async () => {
  await givenWaitingBuild('start');
  const { lease } = await acquired(await givenDaemon());
  const twice = newId();
  for (const tokens of [[NIL_UUID], ['6ba7b810-9dad-11d1-80b4-00c04fd430c8'], [twice, twice], [twice, twice.toUpperCase()]]) {
    await expect(api().planned({ ...lease, resources: withTokens(...tokens) }), tokens.join()).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
  await expect(api().planned({ ...lease, resources: withTokens(twice) })).resolves.toMatchObject({ agents: [{ token: twice }] });
});
