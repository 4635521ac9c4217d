import type { Services } from '../kernel/context.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well, within } from './findings.ts';
import { requireWrites, writeProblem } from './readiness.ts';

const ROUND_TRIPS = 5;
const TIMEOUT_MS = 5000;
/** From here on every page feels it, since one makes many round trips. */
const THRESHOLD_MS = 15;

/** How long the database takes to answer, as the median of five round trips one after the other, and whether it accepts writes. */
export async function checkDatabase(
  services: Pick<Services, 'prisma' | 'settings'>,
): Promise<Omit<HealthcheckReport['database'], 'dismissed'>> {
  const { prisma } = services;
  const times: number[] = [];
  const round = async (): Promise<void> => {
    for (let trip = 0; trip < ROUND_TRIPS; trip++) {
      const startedAt = performance.now();
      await prisma.$queryRaw`SELECT 1`;
      times.push(performance.now() - startedAt);
    }
  };
  try {
    await within(TIMEOUT_MS, round());
  } catch (error) {
    const problem = `The database does not answer: ${reasonOf(error)}.`;
    return { ...broken('EDB01', problem), reachable: false, latency: '0ms', latency_ms: 0, threshold_ms: THRESHOLD_MS };
  }
  const seen = { reachable: true, threshold_ms: THRESHOLD_MS, ...judgedLatency(medianOf(times)) };
  try {
    await requireWrites(services);
    return seen;
  } catch (error) {
    return { ...seen, ...broken('EDB03', writeProblem(error), seen.warnings) };
  }
}

function judgedLatency(ms: number): ReturnType<typeof well> & { readonly latency: string; readonly latency_ms: number } {
  const message = `A round trip to the database takes ${ms.toFixed(1)} ms, which is more than ${THRESHOLD_MS} ms.`;
  const findings = ms > THRESHOLD_MS ? well([{ code: 'EDB02', message }]) : well();
  return { ...findings, latency: `${ms.toFixed(3)}ms`, latency_ms: Math.round(ms) };
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0;
}
