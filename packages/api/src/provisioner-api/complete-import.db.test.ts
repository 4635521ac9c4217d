import { describe, expect, test } from 'vitest';
import { sealVariableValues } from '../provisioner-jobs/sealed-input.ts';
import { createTestProvisioner, RESOURCE } from './test-provisioner.ts';

const { prisma, services, api, user, givenDaemon, givenImport, acquired } = await createTestProvisioner();

describe('imports', () => {
  const empty = { readme: '', variables: [], parameters: [], start_resources: [], stop_resources: [] };
  const variable = {
    name: 'region',
    description: '',
    type: 'string' as const,
    value: '',
    default_value: '',
    required: true,
    sensitive: true,
  };
  const parameter = {
    name: 'cpu',
    display_name: 'CPU',
    description: '**Cores**',
    description_plaintext: 'Cores',
    type: 'number' as const,
    default_value: '2',
    required: false,
    mutable: true,
    ephemeral: false,
    icon: '',
    options: [],
    validation_error: '',
    validation_regex: '',
    validation_min: 1,
    validation_max: 8,
    validation_monotonic: '' as const,
    display_order: 0,
  };

  test('an import keeps its README, parameters, variables with the author’s values, and resources without tokens', async () => {
    const { version, job } = await givenImport();
    const sealedInput = sealVariableValues(services, job.id, [{ name: 'region', value: 'north' }]);
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { sealedInput } });
    const { lease } = await acquired(await givenDaemon());
    await api().completeImport({
      ...lease,
      readme: '# Hi',
      variables: [variable],
      parameters: [parameter],
      start_resources: [RESOURCE],
      stop_resources: [],
    });
    const caller = user();
    expect(await caller.templateVersions.get({ templateversion: version.id })).toMatchObject({
      readme: '# Hi',
      job: { status: 'succeeded' },
    });
    const { display_order: _, ...shown } = parameter;
    expect(await caller.templateVersions.richParameters({ templateversion: version.id })).toEqual([{ ...shown, condition: null }]);
    expect(await caller.templateVersions.variables({ templateversion: version.id })).toMatchObject([
      { name: 'region', value: '*redacted*' },
    ]);
    expect((await caller.templateVersions.resources({ templateversion: version.id }))[0]?.agents[0]).toMatchObject({ name: 'main' });
    const [stored] = await prisma.templateVersionVariable.findMany({ where: { templateVersionId: version.id } });
    expect(stored).toMatchObject({ value: '', sealedValue: expect.any(Uint8Array) });
    expect(await prisma.workspaceAgent.findMany({ where: { resource: { jobId: version.jobId } } })).toMatchObject([{ hashedToken: null }]);
  });

  test('a required variable without a value fails the import with its own code, and the variables are listed', async () => {
    const { version } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    await api().completeImport({
      ...lease,
      ...empty,
      variables: [variable],
      parameters: [parameter],
    });
    const { job } = await user().templateVersions.get({ templateversion: version.id });
    expect(job).toMatchObject({ status: 'failed', error_code: 'REQUIRED_TEMPLATE_VARIABLES' });
    expect(job.error).toContain('region');
    expect(await user().templateVersions.variables({ templateversion: version.id })).toMatchObject([
      { name: 'region', required: true, sensitive: true },
    ]);
  });

  test('an import that fails after its variables were read keeps them with the values that were given', async () => {
    const { version, job } = await givenImport();
    const sealedInput = sealVariableValues(services, job.id, [{ name: 'zone', value: 'x' }]);
    await prisma.provisionerJob.update({ where: { id: job.id }, data: { sealedInput } });
    const { lease } = await acquired(await givenDaemon());
    const zone = { ...variable, name: 'zone', sensitive: false };
    await api().failJob({ ...lease, error: 'no such zone', error_code: '', canceled: false, variables: [variable, zone, zone] });
    expect((await user().templateVersions.get({ templateversion: version.id })).job).toMatchObject({
      status: 'failed',
      error: 'no such zone',
    });
    expect(await user().templateVersions.variables({ templateversion: version.id })).toMatchObject([
      { name: 'region', sensitive: true },
      { name: 'zone', value: 'x' },
    ]);
  });

  test.each([
    [{ validation_regex: '(', type: 'string' as const, validation_min: null, validation_max: null }, /"cpu" .*cannot be read/],
    [{ default_value: '9' }, /"cpu" .*default breaks/],
    [{ condition: { parameter: 'ghost', equals: ['x'] } }, /"cpu" .*does not exist/],
  ])('a parameter that contradicts itself fails the import, by name and rule: %j', async (rules, error) => {
    const { version } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    await api().completeImport({
      ...lease,
      ...empty,
      parameters: [{ ...parameter, ...rules }],
    });
    expect((await user().templateVersions.get({ templateversion: version.id })).job).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(error),
    });
  });

  test('an external service that is not configured fails the import, by name; what it finds of tags is kept', async () => {
    const { version } = await givenImport();
    const { lease } = await acquired(await givenDaemon());
    await api().completeImport({
      ...lease,
      ...empty,
      external_auth_providers: [{ id: 'nowhere', optional: true }],
      workspace_tags: { gpu: 'yes' },
    });
    expect((await user().templateVersions.get({ templateversion: version.id })).job).toMatchObject({
      status: 'failed',
      error: 'The template uses external services that this server does not have: nowhere.',
    });
    expect(await prisma.templateVersion.findUnique({ where: { id: version.id } })).toMatchObject({ workspaceTags: { gpu: 'yes' } });
  });

  test('two agents of one name are refused, and the job goes on', async () => {
    await givenImport();
    const { lease } = await acquired(await givenDaemon());
    const twice = {
      ...lease,
      ...empty,
      start_resources: [RESOURCE, { ...RESOURCE, name: 'other' }],
    };
    await expect(api().completeImport(twice)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(api().heartbeat({ ...lease, logs: [] })).resolves.toEqual({ cancel: false });
  });
});
