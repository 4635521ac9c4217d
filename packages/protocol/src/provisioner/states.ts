import { z } from 'zod';
import type { ProvisionerType } from './daemon.ts';

/** What the process driver keeps of a workspace. */
export const ProcessState = z.object({ version: z.literal(1), keeps_home: z.boolean() });

/** What the container driver keeps of a workspace. */
export const ContainerState = z.object({ version: z.literal(1), volumes: z.array(z.string()), containers: z.array(z.string()) });

/** The part of Terraform's and OpenTofu's state file that both always write. */
const TerraformState = z.looseObject({
  version: z.literal(4),
  terraform_version: z.string(),
  serial: z.int().min(0),
  lineage: z.string(),
  resources: z.array(
    z.looseObject({
      mode: z.enum(['managed', 'data']),
      type: z.string(),
      name: z.string(),
      instances: z.array(z.looseObject({})),
    }),
  ),
});

const STATES: Readonly<Record<ProvisionerType, z.ZodType>> = {
  process: ProcessState,
  container: ContainerState,
  terraform: TerraformState,
};

/**
 * Why these bytes cannot be the state of a workspace that this driver makes, phrased to follow "state"; null when
 * they can. No bytes at all mean that nothing has been made.
 */
export function stateProblem(driver: ProvisionerType, state: Uint8Array): string | null {
  if (state.length === 0) return null;
  const parsed = STATES[driver].safeParse(parseJson(state));
  if (parsed.success) return null;
  const rules = parsed.error.issues
    .slice(0, 3)
    .map(({ path, message }) => (path.length === 0 ? 'it must be a JSON object' : `${path.join('.')} ${message}`));
  return `is not a state of the ${driver} driver: ${rules.join('; ')}`;
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return null;
  }
}
