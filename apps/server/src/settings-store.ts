import { randomBytes } from 'node:crypto';
import type { PrismaClient } from '@berth/db';

/** A value of the deployment, made once by whichever server asks first. */
async function settingOf(prisma: PrismaClient, key: string, make: () => string): Promise<string> {
  await prisma.siteSetting.createMany({ data: [{ key, value: make() }], skipDuplicates: true });
  const row = await prisma.siteSetting.findUniqueOrThrow({ where: { key }, select: { value: true } });
  return row.value;
}

export interface Deployment {
  readonly deploymentId: string;
  readonly csrfKey: Uint8Array;
  readonly deploymentKey: Uint8Array;
}

/** What every replica of a deployment shares: its id, the key that signs CSRF tokens, and the secret that other keys are derived from. */
export async function loadDeployment(prisma: PrismaClient): Promise<Deployment> {
  const deploymentId = await settingOf(prisma, 'deployment_id', () => globalThis.crypto.randomUUID());
  const csrfKey = await settingOf(prisma, 'csrf_key', () => randomBytes(32).toString('base64'));
  const deploymentKey = await settingOf(prisma, 'deployment_key', () => randomBytes(32).toString('base64'));
  return { deploymentId, csrfKey: Buffer.from(csrfKey, 'base64'), deploymentKey: Buffer.from(deploymentKey, 'base64') };
}
