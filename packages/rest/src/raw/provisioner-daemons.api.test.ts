import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestServer } from '../testing/index.ts';
import { listen, textOf, upgrade } from '../testing/live.ts';

const server = await createTestServer();
const { url } = await listen(server);
const rows = given(server.prisma);
const admin = await rows.user({ siteRoles: ['owner'] });

let organization: Awaited<ReturnType<typeof rows.organization>>;
let memberId: string;
beforeEach(async () => {
  organization = await rows.organization();
  memberId = (await rows.user({ memberOf: [organization.id] })).id;
});

const pathOf = (query: string, place = organization.id) => `/api/v2/organizations/${place}/provisionerdaemons/serve?${query}`;
const session = async (userId: string) => ({ 'service-session-token': await server.keyOf(userId) });
async function keyed(tags: Record<string, string> = {}) {
  const { key } = await server.callAsUser(admin.id).provisionerKeys.create({ organization: organization.id, name: newId(), tags });
  return { 'service-provisioner-key': key };
}

async function outcome(path: string, headers: Record<string, string>): Promise<number | 'open'> {
  const { outcome: result, socket } = await upgrade(`${url}${path}`, headers);
  socket.terminate();
  return result;
}

const Answer = z.object({
  id: z.number(),
  result: z.object({ data: z.unknown() }).optional(),
  error: z.object({ message: z.string(), data: z.object({ kind: z.string() }) }).optional(),
});

/** A daemon that dials there; its calls, as they go over the wire. Refusals are answered as `{refused: kind}`. */
async function daemon(path: string, headers: Record<string, string>) {
  const { socket } = await upgrade(`${url}${path}`, headers);
  afterAll(() => socket.terminate());
  let last = 0;
  return (name: string, input: object): Promise<Record<string, unknown>> => {
    const id = ++last;
    return new Promise((resolve) => {
      socket.on('message', (message) => {
        const answer = Answer.safeParse(JSON.parse(textOf(message)));
        if (!answer.success || answer.data.id !== id) return;
        const { result, error } = answer.data;
        resolve(error === undefined ? z.record(z.string(), z.unknown()).parse(result?.data) : { refused: error.data.kind });
      });
      socket.send(JSON.stringify({ id, method: 'mutation', params: { path: `provisionerApi.${name}`, input } }));
    });
  };
}
const Job = z.object({ id: z.string(), file_id: z.string() }).nullable();

const registration = (name: string, more: { provisioners?: ('process' | 'terraform')[]; tags?: Record<string, string> } = {}) => ({
  name,
  session_id: newId(),
  version: 'v1',
  provisioners: ['process' as const],
  tags: {},
  sandbox: { kind: 'none' as const, detail: '' },
  ...more,
});

describe('who is let in', () => {
  it('refuses before the upgrade, with the status', async () => {
    const key = await keyed();
    const [owner, member, stranger] = [await session(admin.id), await session(memberId), await session((await rows.user()).id)];
    const foreign = pathOf('provisioner=process', (await rows.organization()).id);
    const table: [string, Record<string, string>, number | 'open'][] = [
      [pathOf('provisioner=process'), {}, 401],
      [pathOf('provisioner=process'), { 'service-provisioner-key': 'x'.repeat(43) }, 401],
      [pathOf('provisioner=process&version=1.0&version=1.1'), key, 400],
      [pathOf('provisioner=process&name=a&name=b'), key, 400],
      [pathOf(''), key, 400],
      [pathOf('provisioner=echo'), key, 400],
      [pathOf('provisioner=process&tag=gpu%3Dyes'), key, 400],
      [pathOf('provisioner=process&tag=gpu'), owner, 400],
      [pathOf('provisioner=process&tag=gpu%3D%00'), owner, 400],
      [pathOf('provisioner=process&version=2.0'), key, 400],
      [pathOf('provisioner=process'), member, 403],
      [pathOf('provisioner=process'), stranger, 404],
      [foreign, key, 403],
      [pathOf('provisioner=process', newId()), owner, 404],
      [pathOf('provisioner=process&provisioner=terraform&version=1.1&name=a'), key, 'open'],
      [pathOf('provisioner=process', 'default'), key, 'open'],
      [pathOf('provisioner=process&tag=gpu%3Dyes'), owner, 'open'],
      [pathOf('provisioner=process&tag=scope%3Duser'), member, 'open'],
    ];
    for (const [path, headers, expected] of table) {
      expect(await outcome(path, headers), `${path} ${Object.keys(headers).join()}`).toBe(expected);
    }
  });

  it('lets a daemon repeat a parameter with the same value, as clients in the field do', async () => {
    const key = await keyed();
    expect(await outcome(pathOf('provisioner=process&version=1.1&version=1.1&name=a&name=a'), key)).toBe('open');
  });

  it('identifies a daemon by its provisioner key when a session comes along, in a cookie or a header', async () => {
    const key = await keyed();
    const member = await session(memberId);
    const cookie = { cookie: `berth_session=${member['service-session-token']}` };
    for (const also of [member, cookie]) {
      // The member may not serve for everybody; the key may.
      expect(await outcome(pathOf('provisioner=process'), { ...key, ...also })).toBe('open');
      expect(await outcome(pathOf('provisioner=process'), { 'service-provisioner-key': 'x'.repeat(43), ...also })).toBe(401);
    }
    const call = await daemon(pathOf('provisioner=process'), { ...key, ...cookie });
    await call('registerDaemon', registration('keyed-with-session'));
    const row = await server.prisma.provisionerDaemon.findFirstOrThrow({ where: { name: 'keyed-with-session' } });
    expect(row).toMatchObject({ organizationId: organization.id, keyId: expect.not.stringMatching(/^0000/) });
  });

  it('refuses what a foreign page opens', async () => {
    const headers = { ...(await session(admin.id)), origin: 'https://evil.example.com' };
    expect(await outcome(pathOf('provisioner=process'), headers)).toBe(403);
  });
});

describe('what a daemon may do there', () => {
  it('works for the organization of its key, with the tags of its key', async () => {
    const call = await daemon(pathOf('provisioner=process', 'default'), await keyed({ region: 'eu' }));
    await call('registerDaemon', registration('keyed', { tags: { region: 'us' } }));
    expect(await server.prisma.provisionerDaemon.findFirstOrThrow({ where: { organizationId: organization.id } })).toMatchObject({
      name: 'keyed',
      tags: { region: 'eu', scope: 'organization', owner: '' },
    });
  });

  it('registers as nothing else than it dialled as', async () => {
    const call = await daemon(pathOf('provisioner=process&name=mine'), await session(admin.id));
    expect(await call('registerDaemon', registration('other'))).toEqual({ refused: 'invalid' });
    expect(await call('registerDaemon', registration('mine', { provisioners: ['terraform'] }))).toEqual({ refused: 'invalid' });
    expect(await call('registerDaemon', registration('mine'))).toHaveProperty('daemon_id');
  });

  it('takes a person’s own jobs only, when the person asks for that, and gets their archives', async () => {
    const other = await rows.user({ memberOf: [organization.id] });
    const jobs = await Promise.all(
      [memberId, other.id].map(async (owner) => {
        const createdBy = await server.prisma.user.findUniqueOrThrow({ where: { id: owner } });
        return rows.version({ organization, createdBy, status: 'pending', job: { tags: { scope: 'user', owner } } });
      }),
    );
    const headers = await session(memberId);
    const call = await daemon(pathOf('provisioner=process&tag=scope%3Duser'), headers);
    const session_id = newId();
    const { daemon_id } = await call('registerDaemon', { ...registration('own'), session_id });
    const acquire = async () => Job.parse((await call('acquireJob', { daemon_id, session_id, wait_ms: 0 }))['job']);
    const job = await acquire();
    expect(job?.id).toBe(jobs[0]?.job.id);
    expect(await acquire()).toBeNull();
    const archive = (fileId: string) => fetch(`${url}/api/v2/files/${fileId}`, { headers }).then(({ status }) => status);
    expect(await archive(jobs[1]?.job.fileId ?? '')).toBe(404);
    expect(await archive(job?.file_id ?? '')).toBe(200);

    const [listed] = await server.callAsUser(admin.id).provisionerDaemons.list({ organization: organization.id });
    expect(listed).toMatchObject({ name: 'own', key_name: 'user-auth', tags: { scope: 'user', owner: memberId } });
    const taker = await daemon(pathOf('provisioner=process&tag=scope%3Duser'), await session(other.id));
    expect(await taker('registerDaemon', registration('own'))).toEqual({ refused: 'conflict' });
  });

  it('is out when its credential ends, on the same connection', async () => {
    const headers = await session(memberId);
    const call = await daemon(pathOf('provisioner=process&tag=scope%3Duser'), headers);
    await call('registerDaemon', registration('ends'));
    await server.callAsUser(admin.id).tokens.deleteAll({ user: memberId });
    expect(await call('registerDaemon', registration('ends'))).toEqual({ refused: 'unauthenticated' });
  });
});
