import { uniqueName } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../testing/scim/client.ts';
import { createScimServer, refusal, somebody } from '../testing/scim/client.ts';

const { create, scim } = await createScimServer();

describe('listing users', () => {
  const find = (filter: string, more = '') => scim('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`);

  it('finds by each attribute, whatever its case, and never by its pattern characters', async () => {
    const person = somebody({ email: `${uniqueName('a_b')}@example.com` });
    const id = await create(person);
    const name = person.userName;
    for (const filter of [
      `userName eq "${name.toUpperCase()}"`,
      `USERNAME Eq "${name}"`,
      `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${name}"`,
      `externalId eq "${person.externalId}"`,
      `id eq "${id}"`,
      `emails.value eq "${person.email}"`,
      `emails[type eq "work"].value eq "${person.email}"`,
      `emails[type eq "work" and value eq "${person.email}"]`,
      `userName sw "${name.slice(0, -2)}" and active eq true and meta.created gt "2000-01-01T00:00:00Z"`,
      `(userName eq "nobody" or externalId eq "${person.externalId}") and not (active eq false)`,
      `userName eq "${name}" and externalId pr`,
    ]) {
      expect(await find(filter), filter).toMatchObject({ status: 200, body: { totalResults: 1, itemsPerPage: 1, Resources: [{ id }] } });
    }
    for (const filter of [
      `userName eq "%"`,
      `userName eq "${name.replace('@', '_')}"`,
      `emails.value eq "${person.email.replace('a_b', 'axb')}"`,
      `userName eq "${name}" and active eq "false"`,
      `emails[type eq "home"].value eq "${person.email}"`,
      `userName eq "' OR 1=1 --"`,
      `id eq "not an id"`,
      `userName eq "x\\" or userName pr or userName eq \\"y"`,
    ]) {
      expect(await find(filter), filter).toMatchObject({ status: 200, body: { totalResults: 0, Resources: [] } });
    }
  });

  it.each([
    'userName',
    'userName eq',
    'userName eq nobody',
    'userName is "x"',
    'userName eq "x" and',
    'userName eq "x" constructor userName eq "y"',
    'password eq "x"',
    '__proto__ pr',
    'active co "t"',
    'active eq "maybe"',
    'userName gt "a"',
    'userName eq 5',
    'meta.created gt "yesterday"',
    'id co "a"',
    'phoneNumbers[type eq "work"].value eq "1"',
    '"userName" eq "x"',
    `userName eq "${'\n'.repeat(30)}`,
    `userName eq "${'x'.repeat(990)}"`,
    `${'('.repeat(30)}userName pr${')'.repeat(30)}`,
    Array.from({ length: 60 }, () => 'active pr').join(' or '),
  ])('refuses the filter %s', async (filter) => {
    const answer = await find(filter);
    expect(answer.status).toBe(400);
    if (filter.length <= 1000) expect(answer).toMatchObject(refusal(400, 'invalidFilter'));
  });

  it('pages from 1, at most 200 at once, and reads odd numbers as the nearest fit', async () => {
    const people = [somebody(), somebody(), somebody()];
    for (const person of people) await create(person);
    const all = people.map(({ userName }) => `userName eq "${userName}"`).join(' or ');
    const names = (answer: Answer) => (answer.body['Resources'] as unknown as { userName: string }[]).map(({ userName }) => userName);
    const everyone = names(await find(all));
    expect(everyone.toSorted()).toEqual(people.map(({ userName }) => userName).toSorted());
    for (const [index, name] of everyone.entries()) expect(names(await find(all, `&startIndex=${index + 1}&count=1`))).toEqual([name]);
    expect(await find(all, '&startIndex=0&count=-5')).toMatchObject({
      body: { totalResults: 3, startIndex: 1, itemsPerPage: 0, Resources: [] },
    });
    expect(await find(all, '&count=100000&startIndex=4')).toMatchObject({
      status: 200,
      body: { totalResults: 3, startIndex: 4, Resources: [] },
    });
    expect(names(await find(all, '&startIndex=abc&count='))).toEqual([]);
    const projected = (await find(all, '&attributes=userName,emails.value&count=1')).body['Resources']?.[0] ?? {};
    expect(Object.keys(projected).toSorted()).toEqual(['emails', 'id', 'schemas', 'userName']);
  });
});
