import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well } from './findings.ts';

const TIMEOUT_MS = 5000;
/** Of an answer, no more than this is read and shown. */
const ANSWER_MAX_BYTES = 4096;

const Identity = z.object({ deployment_id: z.string() });

/** Asks at the address of the settings, as a client would, whether this deployment is there. Takes 10 s at most. */
export async function checkAccessUrl({ settings }: Services): Promise<Omit<HealthcheckReport['access_url'], 'dismissed'>> {
  const { accessUrl, deploymentId } = settings;
  const unseen = { access_url: accessUrl, reachable: false, status_code: 0, healthz_response: '' };
  try {
    // Whether the server is up, not whether it is ready: that the other sections say.
    const healthz = await get(`${accessUrl}/livez`);
    const seen = { ...unseen, reachable: true, status_code: healthz.status, healthz_response: healthz.text };
    if (healthz.status !== 200) {
      const problem = `${accessUrl}/livez answers ${healthz.status}, not 200.`;
      return { ...seen, ...broken('EACS04', problem) };
    }
    const found = deploymentOf((await get(`${accessUrl}/api/v2/buildinfo`)).text);
    if (found === deploymentId) return { ...seen, ...well() };
    const problem = found === null ? 'Something else than Berth answers' : 'Another deployment of Berth answers';
    return { ...seen, ...broken('EACS04', `${problem} at ${accessUrl}.`) };
  } catch (error) {
    return { ...unseen, ...broken('EACS03', `This server cannot reach ${accessUrl}: ${reasonOf(error)}.`) };
  }
}

function deploymentOf(text: string): string | null {
  try {
    return Identity.parse(JSON.parse(text)).deployment_id;
  } catch {
    return null;
  }
}

/** A redirect is an answer of its own: clients of the API do not follow one. */
async function get(url: string): Promise<{ readonly status: number; readonly text: string }> {
  const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of answer.body ?? []) {
    parts.push(part);
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size >= ANSWER_MAX_BYTES) break;
  }
  return { status: answer.status, text: Buffer.concat(parts).subarray(0, ANSWER_MAX_BYTES).toString() };
}
