import { given, uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, services, clock, callAsUser } = await createTestApi();
const rows = given(prisma);
const DAY_MS = 86_400_000;

const owner = await rows.user({ siteRoles: ['owner'] });

async function withToken(username = uniqueName('maker')) {
  const user = await rows.user({ username });
  const name = uniqueName('token');
  const { key } = await callAsUser(user.id).tokens.create({ user: 'me', token_name: name, lifetime: 365 * 86_400 * 1e9 });
  return { user, name, key };
}

const named = async (input: object, caller = owner) =>
  (await callAsUser(caller.id).tokens.list({ user: 'me', include_all: true, ...input })).map(({ token_name: name }) => name);

describe('looking through the tokens of all', () => {
  it('finds them by a part of their name or of their user’s, whatever its characters', async () => {
    const [one, other] = [await withToken(), await withToken()];
    expect(await named({ q: one.name.slice(2) })).toEqual([one.name]);
    expect(await named({ q: ` ${other.user.username.toUpperCase()} ` })).toEqual([other.name]);
    expect(await named({ q: '%' })).toEqual([]);
    expect(await named({ q: '' })).toEqual(expect.arrayContaining([one.name, other.name]));
  });

  it('finds those that nothing has used for so many days, which a new one never is', async () => {
    const [used, idle] = [await withToken(), await withToken()];
    clock.advance(40 * DAY_MS);
    await services.authenticator.byToken(used.key, '192.0.2.1');
    const young = await withToken();
    const unused = await named({ unused_days: 30 });
    expect(unused).toContain(idle.name);
    expect(unused).not.toContain(used.name);
    expect(unused).not.toContain(young.name);
    expect(await named({ unused_days: 41 })).not.toContain(idle.name);
  });

  it('shows nobody a token that they may not read', async () => {
    const [mine, other] = [await withToken(), await withToken()];
    expect(await named({ q: 'token' }, mine.user)).toEqual([mine.name]);
    expect(await named({ q: other.name }, mine.user)).toEqual([]);
  });

  it('refuses a span that is none', async () => {
    await expect(named({ unused_days: 0 })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });
});
