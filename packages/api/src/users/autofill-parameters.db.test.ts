import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { describe, expect, it } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser, countStatements } = await createTestApi();
const rows = given(prisma);
const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

describe('values to fill in a form with', () => {
  it('are the last ones of the user’s start builds of that template, newest first, without ephemeral ones', async () => {
    const parameters = [{ name: 'region' }, { name: 'size' }, { name: 'debug', ephemeral: true }];
    const made = await rows.template({ richParameters: parameters });
    const user = await rows.user({ memberOf: [made.organization.id] });
    const source = { template: made.template, owner: user };
    const older = await rows.workspace({ ...source, parameters: { region: 'eu', size: 'small', debug: 'yes' } });
    await prisma.workspaceBuild.update({ where: { id: older.build.id }, data: { createdAt: at(1) } });
    const build = { workspace: older.workspace, templateVersionId: made.version.id };
    await rows.build({ ...build, createdAt: at(2), parameters: { size: 'large', unknown: 'x' } });
    await rows.build({ ...build, createdAt: at(3), transition: 'stop', parameters: { region: 'us' } });
    // Neither of another template nor of another person.
    await rows.workspace({ owner: user, richParameters: parameters, parameters: { region: 'elsewhere' } });
    await rows.workspace({ template: made.template, parameters: { region: 'theirs' } });

    const caller = callAsUser(user.id);
    const ask = () => caller.users.autofillParameters({ user: 'me', template_id: made.template.id });
    expect(await ask()).toEqual([
      { name: 'size', value: 'large' },
      { name: 'region', value: 'eu' },
    ]);
    expect(await caller.users.autofillParameters({ user: 'me', template_id: newId() })).toEqual([]);
    // The caller, the user of the path with their organizations, and the values.
    expect(await countStatements(ask)).toBeLessThanOrEqual(4);
  });

  it('are at most a hundred', async () => {
    const names = Array.from({ length: 101 }, (_, index) => `p${index}`);
    const made = await rows.workspace({
      richParameters: names.map((name) => ({ name })),
      parameters: Object.fromEntries(names.map((name) => [name, 'x'])),
    });
    const values = await callAsUser(made.owner.id).users.autofillParameters({ user: 'me', template_id: made.template.id });
    expect(values).toHaveLength(100);
  });

  it('need a template, and are shown to the user and to administrators of users', async () => {
    const user = await rows.user();
    const auditor = await rows.user({ siteRoles: ['auditor'] });
    await expect(callAsUser(user.id).users.autofillParameters({ user: 'me', template_id: 'x' })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    const attempt = callAsUser(auditor.id).users.autofillParameters({ user: user.id, template_id: newId() });
    await expect(attempt).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});
