import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import { sealedContext } from '../sealing/index.ts';

export interface VariableValue {
  readonly name: string;
  readonly value: string;
}

const SealedInput = z.object({ user_variable_values: z.array(z.object({ name: z.string(), value: z.string() })) });

const context = (jobId: string): string => sealedContext('provisioner_jobs', 'sealed_input', [jobId]);

/** What `provisioner_jobs.sealed_input` holds for these values; null for none. Cleared when the job ends. */
export function sealVariableValues(
  { sealer }: Pick<Services, 'sealer'>,
  jobId: string,
  values: readonly VariableValue[],
): Uint8Array<ArrayBuffer> | null {
  if (values.length === 0) return null;
  return sealer.seal(JSON.stringify({ user_variable_values: values }), context(jobId));
}

/** The values that a job came with. @throws SealError when its sealing key is not configured any more. */
export function openVariableValues(
  { sealer }: Pick<Services, 'sealer'>,
  jobId: string,
  sealed: Uint8Array | null,
): readonly VariableValue[] {
  return sealed === null ? [] : SealedInput.parse(JSON.parse(sealer.open(sealed, context(jobId)))).user_variable_values;
}
