import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { workingAccessToken } from '../external-auth/access-token.ts';
import { ownerKeyPair } from '../git-ssh-keys/keys.ts';
import type { Services } from '../kernel/context.ts';
import { freshAccessToken } from '../sign-on/refresh-tokens.ts';
import type { TokenHolder } from '../provisioner-jobs/session-token.ts';
import { remakeSessionToken } from '../provisioner-jobs/session-token.ts';

/** What is not there by then is left out: a slow service must not cost the daemon its lease. */
const PATIENCE_MS = 10_000;

const NeededProviders = z.array(z.object({ id: z.string() }));

/** The build of a driver that hands on what belongs to the workspace's owner. */
export interface SecretsOfBuild extends TokenHolder {
  readonly isStart: boolean;
  /** `template_versions.external_auth_providers`. */
  readonly providers: unknown;
}

export interface JobSecrets {
  readonly session_token: string;
  readonly oidc_access_token: string;
  readonly ssh_public_key: string;
  readonly ssh_private_key: string;
  readonly external_auth: readonly { readonly id: string; readonly access_token: string }[];
}

/**
 * What templates may ask for of the workspace's owner, gathered at the same time: renewed where it was about to end, and empty where
 * there is nothing or it is not there in time. Only a start has a session token.
 */
export async function jobSecrets(services: Services, build: SecretsOfBuild): Promise<JobSecrets> {
  const { ownerId } = build;
  const ids = NeededProviders.parse(build.providers).map(({ id }) => id);
  const attempt = <T>(what: string, work: Promise<T>, otherwise: T): Promise<T> =>
    Promise.race([
      work.catch((error: unknown) => {
        services.log.warn({ err: error, user_id: ownerId, what }, 'a build goes without something of its owner');
        return otherwise;
      }),
      delay(PATIENCE_MS, otherwise, { ref: false }),
    ]);
  const [sessionToken, oidcToken, keyPair, links] = await Promise.all([
    build.isStart ? attempt('session token', remakeSessionToken(services, build), '') : '',
    attempt('OIDC access token', freshAccessToken(services, ownerId), ''),
    attempt('git SSH key', ownerKeyPair(services, ownerId), { publicKey: '', privateKey: '' }),
    Promise.all(
      ids.map(async (id) => ({
        id,
        token: await attempt(`link to ${id}`, workingAccessToken(services, { userId: ownerId, providerId: id }), ''),
      })),
    ),
  ]);
  return {
    session_token: sessionToken,
    oidc_access_token: oidcToken,
    ssh_public_key: keyPair.publicKey,
    ssh_private_key: keyPair.privateKey,
    external_auth: links.flatMap(({ id, token }) => (token === '' ? [] : [{ id, access_token: token }])),
  };
}
