import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { createTestApi, givenTemplateFile, userPrincipal } from '../testing/index.ts';

const { prisma, services, callAs, callAsUser, countStatements } = await createTestApi();
const make = given(prisma);

let organizationId: string;
let adminId: string;
let memberId: string;

beforeEach(async () => {
  organizationId = (await make.organization()).id;
  adminId = (await make.user({ memberOf: [{ organizationId, roles: ['organization-template-admin'] }] })).id;
  memberId = (await make.user({ memberOf: [organizationId] })).id;
});

const organization = () => prisma.organization.findUniqueOrThrow({ where: { id: organizationId } });
const admin = () => callAsUser(adminId);
const member = () => callAsUser(memberId);
const base = () => ({ organization: organizationId, provisioner: 'process' as const, storage_method: 'file' as const });

describe('create', () => {
  test('queues an import of the file for the provisioners of the organization', async () => {
    const file = await givenTemplateFile(prisma, { createdById: adminId });
    const version = await admin().templateVersions.create({ ...base(), file_id: file.id, message: 'first', tags: { gpu: 'yes' } });
    expect(version).toMatchObject({
      template_id: null,
      organization_id: organizationId,
      message: 'first',
      archived: false,
      warnings: [],
      created_by: { id: adminId },
      matched_provisioners: { count: 0, available: 0, most_recently_seen: null },
      job: {
        status: 'pending',
        file_id: file.id,
        worker_id: null,
        tags: { gpu: 'yes', scope: 'organization', owner: '' },
        error: '',
        error_code: '',
      },
    });
    expect(version.name).toMatch(/^[a-z]+_[a-z]+$/);
    expect(version.job.queue_position).toBeGreaterThan(0);
    expect(version.job.queue_size).toBeGreaterThanOrEqual(version.job.queue_position);
    expect(await prisma.auditLog.findMany({ where: { resourceId: version.id } })).toMatchObject([
      { action: 'create', resourceType: 'template_version' },
    ]);
    expect(await admin().templateVersions.get({ templateversion: version.id })).toMatchObject({ id: version.id });
  });

  test('a name that the template has already is refused', async () => {
    const { template, version } = await make.template({ organization: await organization() });
    const file = await givenTemplateFile(prisma, { createdById: adminId });
    const attempt = admin().templateVersions.create({ ...base(), template_id: template.id, file_id: file.id, name: version.name });
    await expect(attempt).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('needs exactly one source, and a file that the caller may read', async () => {
    const create = (body: object) => admin().templateVersions.create({ ...base(), ...body });
    await expect(create({})).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    const file = await givenTemplateFile(prisma, { createdById: adminId });
    await expect(create({ file_id: file.id, example_id: 'x' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(create({ example_id: 'no-such-starter' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(create({ file_id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const foreign = await givenTemplateFile(prisma, { createdById: memberId });
    await expect(create({ file_id: foreign.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(create({ file_id: file.id, template_id: newId() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test.each([
    ['process', { 'berth.yaml': 'resources: [{ name: a, type: process }]' }],
    ['container', { 'berth.yaml': 'resources: [{ name: a, type: container }]' }],
    ['process', { 'berth.yaml': 'resources: [' }],
    ['terraform', { 'main.tf': '' }],
    ['terraform', { 'main.tf.json': '{}', 'modules/other/berth.yaml': '' }],
  ])('the archive says that its driver is %s, whatever the request says: %j', async (driver, files) => {
    const file = await givenTemplateFile(prisma, { createdById: adminId, files });
    for (const provisioner of ['process', 'terraform', 'echo'] as const) {
      const { job } = await admin().templateVersions.create({ ...base(), provisioner, file_id: file.id });
      expect(await prisma.provisionerJob.findUnique({ where: { id: job.id } })).toMatchObject({ provisioner: driver });
    }
  });

  test.each([
    ['for two drivers', { 'berth.yaml': '', 'main.tf': '' }, /for one driver/],
    ['for none', { 'README.md': '', 'modules/main.tf': '' }, /it is not a template/],
  ])('an archive %s is refused, naming the field and the rule', async (_, files, detail) => {
    const file = await givenTemplateFile(prisma, { createdById: adminId, files });
    await expect(admin().templateVersions.create({ ...base(), file_id: file.id })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      cause: { validations: [{ field: 'file_id', detail: expect.stringMatching(detail) }] },
    });
  });

  test('the README of the archive is there before the import, also when the import fails, and goes with the files', async () => {
    const files = { 'berth.yaml': '', 'README.md': '---\nicon: /a.svg\n---\n\n# Hello\n', 'docs/README.md': 'other' };
    const file = await givenTemplateFile(prisma, { createdById: adminId, files });
    const version = await admin().templateVersions.create({ ...base(), file_id: file.id });
    expect(version).toMatchObject({ readme: '# Hello\n', job: { status: 'pending' } });
    await prisma.provisionerJob.update({ where: { id: version.job.id }, data: { completedAt: new Date(), error: 'broken' } });
    expect(await admin().templateVersions.get({ templateversion: version.id })).toMatchObject({ readme: '# Hello\n' });
    const copy = await admin().templateVersions.create({ ...base(), from_version_id: version.id });
    expect(copy).toMatchObject({ readme: '# Hello\n' });
  });

  test('a template keeps its driver', async () => {
    const { template } = await make.template({ organization: await organization() });
    const file = await givenTemplateFile(prisma, { createdById: adminId, files: { 'main.tf': '' } });
    await expect(admin().templateVersions.create({ ...base(), template_id: template.id, file_id: file.id })).rejects.toMatchObject({
      cause: { validations: [{ field: 'file_id', detail: expect.stringContaining('driver') }] },
    });
  });

  test('an earlier version gives its files once more, to those who may change its template', async () => {
    const { template, job, version } = await make.template({ organization: await organization() });
    const made = await admin().templateVersions.create({ ...base(), template_id: template.id, from_version_id: version.id });
    expect(made).toMatchObject({ template_id: template.id, job: { file_id: job.fileId, status: 'pending' } });
    await prisma.template.update({ where: { id: template.id }, data: { userAcl: { [memberId]: ['read'] } } });
    const other = await make.template({ organization: await organization(), userAcl: { [memberId]: ['*'] } });
    const attempt = member().templateVersions.create({ ...base(), template_id: other.template.id, from_version_id: version.id });
    await expect(attempt).rejects.toMatchObject({ cause: { validations: [{ field: 'from_version_id' }] } });
    const elsewhere = await make.template();
    await expect(admin().templateVersions.create({ ...base(), from_version_id: elsewhere.version.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('members may not', async () => {
    const file = await givenTemplateFile(prisma, { createdById: memberId });
    await expect(member().templateVersions.create({ ...base(), file_id: file.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('the daemons that could do the import are counted', async () => {
    const now = services.clock.now();
    const daemon = { organizationId, sessionId: newId(), provisioners: ['process'], tags: { scope: 'organization', owner: '' } };
    await prisma.provisionerDaemon.createMany({
      data: [
        { ...daemon, id: newId(), name: 'here', lastSeenAt: now },
        { ...daemon, id: newId(), name: 'gone', lastSeenAt: new Date(now.getTime() - 3_600_000) },
        { ...daemon, id: newId(), name: 'other driver', provisioners: ['terraform'], lastSeenAt: now },
      ],
    });
    const file = await givenTemplateFile(prisma, { createdById: adminId });
    const { matched_provisioners } = await admin().templateVersions.create({ ...base(), file_id: file.id });
    expect(matched_provisioners).toMatchObject({ count: 2, available: 1 });
    expect(new Date(matched_provisioners.most_recently_seen ?? 0).getTime()).toBe(now.getTime());
  });
});

describe('read', () => {
  test('a version without a template is for those who may read every template of the organization', async () => {
    const { version } = await make.version({ organization: await organization() });
    await expect(admin().templateVersions.get({ templateversion: version.id })).resolves.toMatchObject({ template_id: null });
    await expect(member().templateVersions.get({ templateversion: version.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('whoever may use a template reads its versions, oldest first, page by page', async () => {
    const { template, version } = await make.template({ organization: await organization() });
    const day = (count: number) => new Date(version.createdAt.getTime() + count * 86_400_000);
    const made = [version];
    for (const count of [1, 2, 3]) {
      const org = await organization();
      made.push((await make.version({ organization: org, templateId: template.id, createdAt: day(count), archived: count === 3 })).version);
    }
    const ids = async (query: object = {}) =>
      (await member().templateVersions.list({ template: template.id, ...query })).map(({ id }) => id);
    const [first, second, third, archived] = made.map(({ id }) => id);
    expect(await ids()).toEqual([first, second, third]);
    expect(await ids({ include_archived: true })).toEqual([first, second, third, archived]);
    expect(await ids({ limit: 1, offset: 1 })).toEqual([second]);
    expect(await ids({ after_id: second })).toEqual([third]);
    await expect(ids({ after_id: newId() })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(callAsUser((await make.user()).id).templateVersions.list({ template: template.id })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('rich parameters come in display order, then by name, each with every field', async () => {
    const parameters = [
      { name: 'zone', displayOrder: 1 },
      {
        name: 'Alpha',
        displayOrder: 2,
        description: '*a*',
        descriptionPlaintext: 'a',
        options: [{ name: 'A', description: '', icon: '', value: 'a' }],
      },
      { name: 'beta', displayOrder: 2, condition: { parameter: 'zone', equals: ['x'] } },
    ];
    const { version } = await make.template({ organization: await organization(), richParameters: parameters });
    const found = await member().templateVersions.richParameters({ templateversion: version.id });
    expect(found.map(({ name }) => name)).toEqual(['zone', 'Alpha', 'beta']);
    expect(found[1]).toEqual({
      name: 'Alpha',
      display_name: '',
      description: '*a*',
      description_plaintext: 'a',
      type: 'string',
      default_value: '',
      required: false,
      mutable: true,
      ephemeral: false,
      icon: '',
      options: [{ name: 'A', description: '', icon: '', value: 'a' }],
      validation_error: '',
      validation_regex: '',
      validation_min: null,
      validation_max: null,
      validation_monotonic: '',
      condition: null,
    });
    expect(found[2]?.condition).toEqual({ parameter: 'zone', equals: ['x'] });
  });

  test('rich parameters and a version take one statement each', async () => {
    const { version } = await make.template({ organization: await organization(), richParameters: [{ name: 'a' }, { name: 'b' }] });
    const { templateVersions } = callAs(await userPrincipal(prisma, memberId));
    const input = { templateversion: version.id };
    expect(await countStatements(() => templateVersions.richParameters(input))).toBe(1);
    expect(await countStatements(() => templateVersions.get(input))).toBe(1);
  });

  test.each(['pending', 'running', 'canceling'] as const)('while the import is %s, what it yields cannot be read', async (status) => {
    const { version } = await make.template({ organization: await organization(), status });
    const input = { templateversion: version.id };
    await expect(member().templateVersions.richParameters(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(member().templateVersions.variables(input)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(member().templateVersions.resources(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('a version that is absent and one that is hidden answer alike', async () => {
    const { version } = await make.template();
    const refusals = await Promise.all(
      [version.id, newId()].map((templateversion) =>
        member()
          .templateVersions.richParameters({ templateversion })
          .then(
            () => 'answered',
            (error: unknown) => String(error),
          ),
      ),
    );
    expect(refusals[0]).toBe(refusals[1]);
    expect(refusals[0]).toContain('not found');
  });
});
