import { createSealer, newSealingKey } from '@berth/core/sealer';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestProvisioner } from '../provisioner-api/test-provisioner.ts';
import { resealSecrets } from '../sealing/index.ts';
import { givenTemplateFile } from '../testing/index.ts';
import { sealPlainVariables } from './seal-plain-variables.ts';
import { carriedValues } from './variable-values.ts';

const SECRET = 'open-sesame-8c1f';
const testProvisioner = await createTestProvisioner();
const { prisma, services, make, api, user, userId, organizationId, givenDaemon, acquired } = testProvisioner;

const variable = (name: string, { sensitive = true, required = false, default_value = '' } = {}) => ({
  name,
  description: '',
  type: 'string' as const,
  value: '',
  default_value,
  required,
  sensitive,
});

const given = (name: string, value: string) => ({ name, value });

/** A version with its import waiting; of `templateId` if given. */
async function createVersion(body: { template_id?: string; user_variable_values?: { name: string; value: string }[] } = {}) {
  const file = await givenTemplateFile(prisma, { createdById: userId() });
  return user().templateVersions.create({
    organization: organizationId(),
    provisioner: 'process',
    storage_method: 'file',
    file_id: file.id,
    ...body,
  });
}

async function completeImport(variables: ReturnType<typeof variable>[]) {
  const { job, lease } = await acquired(await givenDaemon());
  await api().completeImport({ ...lease, readme: '', variables, parameters: [], start_resources: [], stop_resources: [] });
  return job;
}

/** The text of every row of every table; bytes in hexadecimal. */
async function everything(): Promise<string> {
  const tables = z
    .array(z.object({ name: z.string() }))
    .parse(await prisma.$queryRaw`SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`);
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM "${name}" t`);
    texts.push(...rows.map(({ row }) => `${name} ${row}`));
  }
  return texts.join('\n');
}

const hex = (text: string): string => Buffer.from(text).toString('hex');

async function expectHidden(): Promise<void> {
  const all = await everything();
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain(hex(SECRET));
}

test('security: the value of a sensitive variable stands in no table in the clear, from the request to the build, audit rows included', async () => {
  const version = await createVersion({ user_variable_values: [given('token', SECRET)] });
  await expectHidden();
  const job = await completeImport([variable('token', { required: true })]);
  expect(job).toMatchObject({ user_variable_values: [given('token', SECRET)] });
  await expectHidden();
  expect(await user().templateVersions.variables({ templateversion: version.id })).toMatchObject([
    { name: 'token', value: '*redacted*', default_value: '*redacted*' },
  ]);

  const template = await user().templates.create({
    organization: organizationId(),
    name: 'secretive',
    template_version_id: version.id,
  });
  await make.workspace({ template: await prisma.template.findUniqueOrThrow({ where: { id: template.id } }), status: 'pending' });
  expect((await acquired(await givenDaemon())).job).toMatchObject({
    kind: 'workspace_build',
    variable_values: [given('token', SECRET)],
  });
  await expectHidden();
});

test('what a request gives is forgotten when its job ends: done, failed, canceled while it waits', async () => {
  const sealedInputOf = async (id: string) => (await prisma.provisionerJob.findUniqueOrThrow({ where: { id } })).sealedInput;
  const values = { user_variable_values: [given('token', SECRET)] };

  const done = await createVersion(values);
  expect(await sealedInputOf(done.job.id)).not.toBeNull();
  await completeImport([variable('token')]);
  expect(await sealedInputOf(done.job.id)).toBeNull();

  const failed = await createVersion(values);
  const { lease } = await acquired(await givenDaemon());
  await api().failJob({ ...lease, error: 'it broke', error_code: '', canceled: false });
  expect(await sealedInputOf(failed.job.id)).toBeNull();

  const canceled = await createVersion(values);
  await user().templateVersions.cancel({ templateversion: canceled.id });
  expect(await sealedInputOf(canceled.job.id)).toBeNull();
});

test('values of the active version that are not given again are taken over, and a default that changed is not in their way', async () => {
  const first = await createVersion({ user_variable_values: [given('token', SECRET), given('region', 'north')] });
  const inherited = variable('size', { sensitive: false, default_value: 'small' });
  await completeImport([variable('token'), variable('region', { sensitive: false }), inherited]);
  const template = await user().templates.create({ organization: organizationId(), name: 'carrying', template_version_id: first.id });

  const second = await createVersion({ template_id: template.id, user_variable_values: [given('region', 'south')] });
  const job = await completeImport([
    variable('token', { required: true }),
    variable('region', { sensitive: false }),
    { ...inherited, default_value: 'large' },
  ]);
  expect(job).toMatchObject({ user_variable_values: expect.arrayContaining([given('region', 'south'), given('token', SECRET)]) });
  expect(await user().templateVersions.variables({ templateversion: second.id })).toMatchObject([
    { name: 'region', value: 'south' },
    { name: 'size', value: 'large' },
    { name: 'token', value: '*redacted*' },
  ]);
  expect(await user().templateVersions.get({ templateversion: second.id })).toMatchObject({ job: { status: 'succeeded' } });
});

test('security: values go to no other template, even with the files of the version that has them', async () => {
  const first = await createVersion({ user_variable_values: [given('token', SECRET)] });
  await completeImport([variable('token')]);
  await user().templates.create({ organization: organizationId(), name: 'holding', template_version_id: first.id });
  await user().templateVersions.create({
    organization: organizationId(),
    provisioner: 'process',
    storage_method: 'file',
    from_version_id: first.id,
  });
  expect((await acquired(await givenDaemon())).job).toMatchObject({ user_variable_values: [] });
});

test('a new sealing key seals both places anew', async () => {
  const [oldKey, newKey] = [newSealingKey(), newSealingKey()];
  const both = createSealer([newKey, oldKey]);
  const former = { ...services, sealer: createSealer([oldKey]) };
  const { version, job } = await testProvisioner.givenImport();
  await prisma.provisionerJob.update({
    where: { id: job.id },
    data: { sealedInput: former.sealer.seal('x', `provisioner_jobs.sealed_input:${job.id}`) },
  });
  await prisma.templateVersionVariable.create({
    data: {
      templateVersionId: version.id,
      name: 'token',
      type: 'string',
      sensitive: true,
      sealedValue: former.sealer.seal(SECRET, `template_version_variables.sealed_value:${version.id}:token`),
    },
  });
  await resealSecrets({ ...services, sealer: both }, new AbortController().signal);
  const [storedJob, stored] = await Promise.all([
    prisma.provisionerJob.findUniqueOrThrow({ where: { id: job.id } }),
    prisma.templateVersionVariable.findFirstOrThrow({ where: { templateVersionId: version.id } }),
  ]);
  const latter = createSealer([newKey]);
  const none = new Uint8Array();
  expect(latter.open(storedJob.sealedInput ?? none, `provisioner_jobs.sealed_input:${job.id}`)).toBe('x');
  expect(latter.open(stored.sealedValue ?? none, `template_version_variables.sealed_value:${version.id}:token`)).toBe(SECRET);
});

test('what an earlier server stored as it was is sealed once, and opens as before', async () => {
  const { version } = await testProvisioner.givenImport();
  const row = { templateVersionId: version.id, type: 'string', sensitive: true };
  await prisma.templateVersionVariable.createMany({
    data: [
      { ...row, name: 'token', value: SECRET },
      { ...row, name: 'empty' },
      { ...row, name: 'public', value: 'north', sensitive: false },
    ],
  });
  const seal = () => sealPlainVariables(services, new AbortController().signal);
  await Promise.all([seal(), seal()]);
  expect(await seal()).toBe(0);
  await expectHidden();
  expect(await carriedValues(prisma, services, version.id)).toEqual([given('public', 'north'), given('token', SECRET)]);
});
