import { z } from 'zod';
import { withoutIndexes } from './graph.ts';

/** What is read of `terraform show -json`. `values` lacks what is not known before it is made. */
const Instance = z.object({
  address: z.string(),
  mode: z.enum(['managed', 'data']),
  type: z.string(),
  name: z.string(),
  index: z.union([z.string(), z.number()]).optional(),
  values: z.record(z.string(), z.unknown()).default({}),
});

interface ModuleValues {
  readonly resources: z.output<typeof Instance>[];
  readonly child_modules: ModuleValues[];
}

const ModuleValues: z.ZodType<ModuleValues> = z.object({
  resources: z.array(Instance).default([]),
  get child_modules() {
    return z.array(ModuleValues).default([]);
  },
});

const Values = z.object({ root_module: ModuleValues.default({ resources: [], child_modules: [] }) });
const ShownPlan = z.object({ planned_values: Values.optional(), prior_state: z.object({ values: Values.optional() }).optional() });
const ShownState = z.object({ values: Values.optional() });

/** One instance of a resource or data source. */
export interface TerraformInstance extends z.output<typeof Instance> {
  /** As the graph knows it: without indexes. */
  readonly label: string;
}

/** What a plan has read and what it is going to make. */
export function readPlan(json: string): TerraformInstance[] {
  const { planned_values: planned, prior_state: prior } = ShownPlan.parse(JSON.parse(json));
  // What a plan has read stands in the state that it starts from; what it cannot read yet, among what it will make.
  const data = flatten(prior?.values).filter(({ mode }) => mode === 'data');
  const known = new Set(data.map(({ address }) => address));
  return [...data, ...flatten(planned).filter(({ address }) => !known.has(address))];
}

/** What there is. */
export function readState(json: string): TerraformInstance[] {
  return flatten(ShownState.parse(JSON.parse(json)).values);
}

function flatten(values: z.output<typeof Values> | undefined): TerraformInstance[] {
  const walk = (module: ModuleValues): TerraformInstance[] => [
    ...module.resources.map((instance) => ({ ...instance, label: withoutIndexes(instance.address) })),
    ...module.child_modules.flatMap(walk),
  ];
  return values === undefined ? [] : walk(values.root_module);
}

export function managed(instances: readonly TerraformInstance[], type: string): TerraformInstance[] {
  return instances.filter((instance) => instance.mode === 'managed' && instance.type === type);
}

export function data(instances: readonly TerraformInstance[], ...types: string[]): TerraformInstance[] {
  return instances.filter((instance) => instance.mode === 'data' && types.includes(instance.type));
}

// Attributes: absent, unknown and null are all the same to whoever reads them.

export const text = () =>
  z
    .string()
    .nullish()
    .transform((value) => value ?? '');
export const flag = (fallback = false) =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? fallback);
export const whole = (fallback = 0) =>
  z
    .number()
    .nullish()
    .transform((value) => Math.trunc(value ?? fallback));
export const list = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullish()
    .transform((value) => value ?? []);
export const textMap = () =>
  z
    .record(z.string(), z.string().nullable())
    .nullish()
    .transform((value) => Object.fromEntries(Object.entries(value ?? {}).map(([key, item]) => [key, item ?? ''])));
