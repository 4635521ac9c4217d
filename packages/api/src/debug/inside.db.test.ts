import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { agentConnected } from '../agents/index.ts';
import { registerReplica } from '../replicas/index.ts';
import { createTestApi } from '../testing/index.ts';
import { tunnelStub } from '../testing/tunnel-stub.ts';

const { prisma, services, callAsUser } = await createTestApi();
const make = given(prisma);
const owner = await make.user({ siteRoles: ['owner'] });
const { debug } = callAsUser(owner.id);
const replicaId = services.settings.replica.id;

test('a look inside tells which agents hang on which server', async () => {
  await registerReplica(services);
  const { job } = await make.workspace();
  const { agent } = await make.agent({ jobId: job.id });
  await agentConnected(services, agent.id);
  services.tunnels.add(agent.id, tunnelStub());
  expect(await debug.coordinator({})).toEqual({ replica_id: replicaId, tunnels: 1, agents: [agent.id] });
  expect(await debug.tailnet({})).toEqual({ replicas: [{ id: replicaId, hostname: 'test', tunnels: 1 }] });
});

test('a look inside tells the metrics of the process, and that there are no relays', async () => {
  expect(await debug.expvar({})).toEqual({ version: services.settings.version, replica_id: replicaId, metrics: { berth_test: 1 } });
  expect(await debug.derpTraffic({})).toEqual([]);
});
