import { uniqueName } from '@berth/testing';
import { PASSWORD, nothing, noInput, ofHolder, ofSomebody } from './of.ts';
import type { InputOf } from './of.ts';

export const peopleInputs: Readonly<Record<string, InputOf>> = {
  'auth.login': () => ({ email: 'nobody@example.com', password: 'wrong' }),
  'auth.methods': noInput,
  'auth.validatePassword': () => ({ password: PASSWORD }),
  'auth.requestPasscode': () => ({ email: 'nobody@example.com' }),
  'auth.changePasswordWithPasscode': () => ({ email: 'nobody@example.com', password: PASSWORD, one_time_passcode: nothing() }),
  'authorization.check': ({ workspace }) => ({
    checks: { read: { object: { resource_type: 'workspace', resource_id: workspace.id }, action: 'read' } },
  }),
  'authorization.explain': ({ holder }) => ({ user: holder.id, object: { resource_type: 'workspace' }, action: 'read' }),
  'auth.convertLogin': ({ holder }) => ({ user: holder.id, to_type: 'oidc', password: 'wrong' }),
  'externalAuth.setup': noInput,
  'externalAuth.list': noInput,
  'externalAuth.get': () => ({ externalauth: 'browser' }),
  'externalAuth.unlink': () => ({ externalauth: 'browser' }),
  'externalAuth.begin': () => ({ externalauth: 'browser' }),
  'externalAuth.complete': () => ({ externalauth: 'browser', code: 'x' }),
  'externalAuth.beginDevice': () => ({ externalauth: 'device' }),
  'externalAuth.completeDevice': () => ({ externalauth: 'device', device_code: 'x' }),
  'identities.list': ofHolder,
  'identities.unlink': ({ holder }) => ({ user: holder.id, identity: nothing() }),
  'signOn.begin': () => ({ kind: 'oidc' }),
  'signOn.complete': () => ({ kind: 'oidc', state: 'x', attempt: '', query: '' }),
  'gitSshKeys.get': ofHolder,
  'gitSshKeys.regenerate': ofHolder,
  'savedSearches.list': ofHolder,
  'savedSearches.create': ({ holder }) => ({ user: holder.id, page: 'audit', name: uniqueName('search'), address: '' }),
  'savedSearches.update': ({ holder, search }) => ({ user: holder.id, savedsearch: search.id, address: `q=${uniqueName('search')}` }),
  'savedSearches.delete': async ({ holder, holderCaller }) => {
    const { id } = await holderCaller.savedSearches.create({ user: 'me', page: 'workspaces', name: uniqueName('search'), address: '' });
    return { user: holder.id, savedsearch: id };
  },
  'scim.serviceProviderConfig': noInput,
  'tokens.createSession': ofHolder,
  'tokens.create': ({ holder }) => ({ user: holder.id, token_name: uniqueName('token') }),
  'tokens.list': ofHolder,
  'tokens.listSessions': ofHolder,
  'tokens.get': async ({ holder, keyOf }) => ({ user: holder.id, keyid: (await keyOf(holder.id)).split('-')[0] }),
  'tokens.getByName': ({ holder, holderToken }) => ({ user: holder.id, keyname: holderToken }),
  'tokens.config': ofHolder,
  'tokens.deleteAll': ofSomebody,
  'tokens.delete': async ({ holder, keyOf }) => ({ user: holder.id, keyid: (await keyOf(holder.id)).split('-')[0] }),
  'users.hasFirst': noInput,
  'users.createFirst': () => ({ email: 'first@example.com', username: 'first', password: PASSWORD }),
  'users.list': noInput,
  'users.create': ({ organization }) => {
    const username = uniqueName('user');
    return { email: `${username}@example.com`, username, login_type: 'none', organization_ids: [organization.id] };
  },
  'users.get': ofHolder,
  'users.delete': ofSomebody,
  'users.updateProfile': ({ holder }) => ({ user: holder.id, name: 'Ada' }),
  'users.updatePassword': async (fixture) => ({ ...(await ofSomebody(fixture)), password: PASSWORD }),
  'users.suspend': ofSomebody,
  'users.activate': ofSomebody,
  'users.roles': ofHolder,
  'users.updateRoles': async (fixture) => ({ ...(await ofSomebody(fixture)), roles: ['auditor'] }),
  'users.loginType': ofHolder,
  'users.organizations': ofHolder,
  'users.organizationByName': ({ holder, organization }) => ({ user: holder.id, organizationname: organization.name }),
  'users.autofillParameters': ({ holder, template }) => ({ user: holder.id, template_id: template.id }),
  'users.updateAppearance': ({ holder }) => ({ user: holder.id, theme_preference: 'dark' }),
};
