import { engineAddresses, showAddress } from './engine-address.ts';
import type { EngineSettings } from './engine-address.ts';
import { Engine } from './engine.ts';

export type EngineSearch =
  | { readonly engine: Engine; readonly reason?: undefined }
  | { readonly engine?: undefined; readonly reason: string };

/** The engine of this host; or, in one line, why there is none. Asks each address for three seconds at most; never rejects. */
export async function findEngine(settings: EngineSettings): Promise<EngineSearch> {
  const problems: string[] = [];
  try {
    const addresses = engineAddresses(settings);
    if (addresses.length === 0) return { reason: 'containers are off' };
    const tries = await Promise.allSettled(addresses.map((address) => Engine.connect(address)));
    for (const [index, outcome] of tries.entries()) {
      if (outcome.status === 'fulfilled') return { engine: outcome.value };
      const reason: unknown = outcome.reason;
      const address = addresses[index];
      const where = address === undefined ? '' : showAddress(address);
      problems.push(reason instanceof Error && reason.name !== 'TimeoutError' ? reason.message : `${where} does not answer.`);
    }
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  return { reason: problems.join(' ') };
}
