import type { TestServer } from '../index.ts';
import type { Fixture } from './fixture.ts';

/** Who calls, in the order of the columns of `expectations.ts`. */
export const PRINCIPALS = [
  'anonymous',
  'suspended',
  'stranger',
  'member',
  'holder',
  'auditor',
  'template-admin',
  'user-admin',
  'organization-admin',
  'app-token',
  'read-token',
  'limited-token',
  'owner',
  'agent',
  'provisioner',
] as const;
export type PrincipalName = (typeof PRINCIPALS)[number];

/** The headers that each principal sends. */
export type Credentials = Readonly<Record<PrincipalName, Readonly<Record<string, string>>>>;

/**
 * Makes one account per column of the matrix. `holder` owns the fixture's workspace. The tokens are an owner's: `app-token` may only
 * open apps, `read-token` only read, `limited-token` only `workspace:read`.
 */
export async function credentialsFor(
  server: TestServer,
  fixture: Pick<Fixture, 'rows' | 'organization' | 'elsewhere' | 'holder' | 'agentToken'>,
): Promise<Credentials> {
  const { rows, organization, elsewhere } = fixture;
  const session = (key: string): Record<string, string> => ({ 'service-session-token': key });
  const suspended = await rows.user({ memberOf: [organization.id], siteRoles: ['owner'] });
  const suspendedKey = await server.keyOf(suspended.id);
  await server.prisma.user.update({ where: { id: suspended.id }, data: { status: 'suspended' } });
  const keyOf = async (user: Promise<{ id: string }>): Promise<Record<string, string>> => session(await server.keyOf((await user).id));
  const owner = await rows.user({ siteRoles: ['owner'] });
  const tokens = server.callAsUser(owner.id).tokens;
  const appToken = await tokens.create({ user: 'me', scope: 'application_connect', token_name: 'apps' });
  const readToken = await tokens.create({ user: 'me', scope: 'read_only', token_name: 'reader' });
  const limitedToken = await tokens.create({ user: 'me', scope: 'limited', permissions: ['workspace:read'], token_name: 'limited' });
  return {
    anonymous: {},
    suspended: session(suspendedKey),
    stranger: await keyOf(rows.user({ memberOf: [elsewhere.id] })),
    member: await keyOf(rows.user({ memberOf: [organization.id] })),
    holder: session(await server.keyOf(fixture.holder.id)),
    auditor: await keyOf(rows.user({ siteRoles: ['auditor'] })),
    'template-admin': await keyOf(rows.user({ siteRoles: ['template-admin'] })),
    'user-admin': await keyOf(rows.user({ siteRoles: ['user-admin'] })),
    'organization-admin': await keyOf(rows.user({ memberOf: [{ organizationId: organization.id, roles: ['organization-admin'] }] })),
    'app-token': session(appToken.key),
    'read-token': session(readToken.key),
    'limited-token': session(limitedToken.key),
    owner: await keyOf(Promise.resolve(owner)),
    agent: session(fixture.agentToken),
    provisioner: { 'service-provisioner-key': server.services.settings.builtinProvisionerKey.reveal() },
  };
}
