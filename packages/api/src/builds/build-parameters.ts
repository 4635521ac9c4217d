import { invalid } from '@berth/core';
import type { Prisma, Tx } from '@berth/db';
import type { MonotonicOrder, ParameterType, ParameterValue, RichParameter } from '@berth/domain';
import { resolveRichParameters } from '@berth/domain';
import { z } from 'zod';

const definitionSelect = {
  name: true,
  displayName: true,
  description: true,
  type: true,
  defaultValue: true,
  required: true,
  mutable: true,
  ephemeral: true,
  icon: true,
  options: true,
  validationRegex: true,
  validationError: true,
  validationMin: true,
  validationMax: true,
  validationMonotonic: true,
  condition: true,
  displayOrder: true,
} as const satisfies Prisma.TemplateVersionParameterSelect;
type DefinitionRow = Prisma.TemplateVersionParameterGetPayload<{ select: typeof definitionSelect }>;

const Options = z.array(z.object({ name: z.string(), description: z.string(), value: z.string(), icon: z.string() }));
const Condition = z.object({ parameter: z.string(), equals: z.array(z.string()) }).nullable();

export interface BuildParameters {
  readonly versionId: string;
  readonly requested: readonly ParameterValue[];
  /** Of the workspace's last build. */
  readonly previous: readonly ParameterValue[];
}

/**
 * The values that a build from this version gets: what was asked for over what the last build had over the defaults.
 *
 * @throws invalid, naming each parameter that breaks a rule and the rule.
 */
export async function resolveBuildParameters(
  db: Tx,
  { versionId, requested, previous }: BuildParameters,
): Promise<readonly ParameterValue[]> {
  const rows = await db.templateVersionParameter.findMany({ where: { templateVersionId: versionId }, select: definitionSelect });
  const resolution = resolveRichParameters({ definitions: rows.map(definitionOf), requested, previous });
  if (resolution.ok) return resolution.values;
  throw invalid(
    'The values of some parameters cannot be used.',
    resolution.problems.map(({ parameter, detail }) => ({ field: parameter, detail })),
  );
}

function definitionOf(row: DefinitionRow): RichParameter {
  return {
    ...row,
    descriptionPlaintext: row.description,
    // The columns carry check constraints with these very values.
    type: row.type as ParameterType,
    validationMonotonic: row.validationMonotonic as MonotonicOrder,
    options: Options.parse(row.options),
    condition: Condition.parse(row.condition),
  };
}
