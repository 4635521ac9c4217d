import { SealError } from '@berth/core/sealer';
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
 * among them, so that a new default counts; nor is one that can no longer be opened, which then has to be given again.
 */
export async function carriedValues(db: Tx, services: Pick<Services, 'sealer' | 'log'>, versionId: string): Promise<VariableValue[]> {
  const rows = await db.templateVersionVariable.findMany({
    where: { templateVersionId: versionId },
    orderBy: { name: 'asc' },
    select: { name: true, value: true, sealedValue: true, defaultValue: true },
  });
  return rows.flatMap(({ name, sealedValue, defaultValue, ...row }) => {
    const value = sealedValue === null ? row.value : opened(services, { templateVersionId: versionId, name, sealedValue });
    return value === null || value === defaultValue ? [] : [{ name, value }];
  });
}

interface Sealed {
  readonly templateVersionId: string;
  readonly name: string;
  readonly sealedValue: Uint8Array;
}

function opened({ sealer, log }: Pick<Services, 'sealer' | 'log'>, variable: Sealed): string | null {
  try {
    return sealer.open(variable.sealedValue, context(variable));
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    log.warn({ template_version_id: variable.templateVersionId, variable: variable.name }, 'a stored variable cannot be opened');
    return null;
  }
}

/** `given` over `base`, by name. */
export function mergedValues(base: readonly VariableValue[], given: readonly VariableValue[]): VariableValue[] {
  return [...new Map([...base, ...given].map(({ name, value }) => [name, value]))].map(([name, value]) => ({ name, value }));
}
