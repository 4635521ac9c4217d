import { Prisma, type Tx } from '@berth/db';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { VariableValue } from '../provisioner-jobs/sealed-input.ts';
import { sealedContext } from '../sealing/index.ts';

interface Variable {
  readonly templateVersionId: string;
  readonly name: string;
  readonly value: string;
  readonly sensitive: boolean;
}

const context = ({ templateVersionId, name }: Pick<Variable, 'templateVersionId' | 'name'>): string =>
  sealedContext('template_version_variables', 'sealed_value', [templateVersionId, name]);

/** The columns that hold the value of a variable: sealed when it is sensitive, and then nowhere else. */
export function valueColumns(
  { sealer }: Pick<Services, 'sealer'>,
  variable: Variable,
): { readonly value: string; readonly sealedValue: Uint8Array<ArrayBuffer> | null } {
  if (!variable.sensitive || variable.value === '') return { value: variable.value, sealedValue: null };
  return { value: '', sealedValue: sealer.seal(variable.value, context(variable)) };
}

/** The values of a version's variables by name, opened. @throws SealError when a sealing key is not configured any more. */
export async function openedVariables(db: Tx, services: Pick<Services, 'sealer'>, templateVersionId: string): Promise<OpenedVariable[]> {
  const rows = await db.templateVersionVariable.findMany({
    where: { templateVersionId },
    orderBy: { name: 'asc' },
    select: { name: true, value: true, sealedValue: true, defaultValue: true },
  });
  return rows.map(({ name, value, sealedValue, defaultValue }) => ({
    name,
    value: sealedValue === null ? value : services.sealer.open(sealedValue, context({ templateVersionId, name })),
    defaultValue,
  }));
}

export interface OpenedVariable extends VariableValue {
  readonly defaultValue: string;
}

/** The variables of a version as one `jsonb` expression that `openVariableJson` reads. `versionId` is an SQL expression. */
export function variablesSql(versionId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`coalesce((
    SELECT jsonb_agg(jsonb_build_object('version', template_version_id, 'name', name, 'value', value,
      'sealed', translate(encode(sealed_value, 'base64'), E'\\n', '')) ORDER BY name)
    FROM template_version_variables WHERE template_version_id = ${versionId}), '[]'::jsonb)`;
}

const VariableRows = z.array(z.object({ version: z.string(), name: z.string(), value: z.string(), sealed: z.string().nullable() }));

/** What `variablesSql` selected, opened. @throws SealError when a sealing key is not configured any more. */
export function openVariableJson({ sealer }: Pick<Services, 'sealer'>, json: unknown): VariableValue[] {
  return VariableRows.parse(json).map(({ version, name, value, sealed }) => ({
    name,
    value: sealed === null ? value : sealer.open(Buffer.from(sealed, 'base64'), context({ templateVersionId: version, name })),
  }));
}

/**
 * What a new version takes over: the values that its author gave to an earlier one. Those that the earlier one had by default are not
 * among them, so that a new default counts.
 */
export async function carriedValues(db: Tx, services: Pick<Services, 'sealer'>, versionId: string): Promise<VariableValue[]> {
  const variables = await openedVariables(db, services, versionId);
  return variables.filter(({ value, defaultValue }) => value !== defaultValue).map(({ name, value }) => ({ name, value }));
}

/** `given` over `base`, by name. */
export function mergedValues(base: readonly VariableValue[], given: readonly VariableValue[]): VariableValue[] {
  return [...new Map([...base, ...given].map(({ name, value }) => [name, value]))].map(([name, value]) => ({ name, value }));
}
