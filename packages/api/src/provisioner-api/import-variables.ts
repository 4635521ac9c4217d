import type { TemplateVariable } from '@berth/protocol';
import { openVariableValues } from '../provisioner-jobs/sealed-input.ts';
import { valueColumns } from '../template-versions/variable-values.ts';
import type { ProvisionerCall } from './call.ts';

type Db = Pick<ProvisionerCall, 'db' | 'services'>;

/** What the author gave an import, or a version before had, by name. Must be read before the end of the job forgets it. */
export async function givenValues({ db, services }: Db, jobId: string): Promise<ReadonlyMap<string, string>> {
  const job = await db.provisionerJob.findUnique({ where: { id: jobId }, select: { sealedInput: true } });
  return new Map(openVariableValues(services, jobId, job?.sealedInput ?? null).map(({ name, value }) => [name, value]));
}

/** The variables of a template with the given values, else their defaults. */
export function withValues(variables: readonly TemplateVariable[], given: ReadonlyMap<string, string>): TemplateVariable[] {
  return variables.map((variable) => ({ ...variable, value: given.get(variable.name) ?? variable.default_value }));
}

/** Keeps the variables of a version; sensitive values are sealed. The first of two with one name counts. */
export async function storeVariables(
  { db, services }: Db,
  templateVersionId: string,
  variables: readonly TemplateVariable[],
): Promise<void> {
  await db.templateVersionVariable.createMany({
    data: variables.map(({ default_value, ...variable }) => {
      const row = { ...variable, defaultValue: default_value, templateVersionId };
      return { ...row, ...valueColumns(services, row) };
    }),
    skipDuplicates: true,
  });
}
