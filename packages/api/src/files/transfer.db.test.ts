import { newId } from '@berth/core';
import { given } from '@berth/testing';
import { zipSync } from 'fflate';
import { expect, test } from 'vitest';
import type { Context, Principal } from '../kernel/context.ts';
import { createTestApi, userPrincipal } from '../testing/index.ts';
import { MAX_UPLOAD_BYTES } from './contract.ts';
import { writeTar } from './tar.ts';
import { downloadFile, uploadFile } from './transfer.ts';
import { readZip } from './zip.ts';

const { prisma, services } = await createTestApi();
const make = given(prisma);

function contextOf(principal: Principal): Context {
  return {
    services,
    authenticate: () => Promise.resolve(principal),
    request: { requestId: newId(), ip: '', userAgent: '' },
    response: { setCookie: () => undefined },
  };
}

async function givenPerson(roles: { siteRoles?: string[] } = {}) {
  const { id } = await make.user(roles);
  return { id, context: contextOf(await userPrincipal(prisma, id)) };
}

const tarOf = (content: string) => writeTar([{ path: 'berth.yaml', bytes: new TextEncoder().encode(content), isExecutable: false }]);
const upload = async (context: Context, content = newId()) =>
  uploadFile(context, { mimeType: 'application/x-tar', bytes: await tarOf(content) });

test('the same archive of the same user is stored once; another user gets a file of their own', async () => {
  const ada = await givenPerson();
  const first = await upload(ada.context, 'same');
  expect(first.isNew).toBe(true);
  expect(await upload(ada.context, 'same')).toEqual({ id: first.id, isNew: false });
  const bob = await givenPerson();
  expect((await upload(bob.context, 'same')).id).not.toBe(first.id);
});

test('a zip is stored as the tar of its files, and can be had as zip again', async () => {
  const { context } = await givenPerson();
  const bytes = zipSync({ 'berth.yaml': new TextEncoder().encode('zipped') });
  for (const mimeType of ['application/zip', 'application/x-zip-compressed']) {
    const { id } = await uploadFile(context, { mimeType, bytes });
    expect(await downloadFile(context, id)).toEqual({ mimeType: 'application/x-tar', bytes: await tarOf('zipped') });
    const zip = await downloadFile(context, id, 'zip');
    expect(zip.mimeType).toBe('application/zip');
    expect(readZip(zip.bytes)).toMatchObject([{ path: 'berth.yaml' }]);
  }
});

test.each(['application/octet-stream', 'application/x-tar; charset=utf-8', ''])('the content type %j is refused', async (mimeType) => {
  const { context } = await givenPerson();
  await expect(uploadFile(context, { mimeType, bytes: await tarOf('x') })).rejects.toMatchObject({ kind: 'invalid' });
});

test('more than the limit is refused', async () => {
  const { context } = await givenPerson();
  const bytes = new Uint8Array(MAX_UPLOAD_BYTES + 1);
  await expect(uploadFile(context, { mimeType: 'application/x-tar', bytes })).rejects.toMatchObject({ kind: 'too_large' });
});

test('what is no archive is refused', async () => {
  const { context } = await givenPerson();
  const bytes = new TextEncoder().encode('no archive, but quite long enough to be read as the beginning of one');
  for (const mimeType of ['application/x-tar', 'application/zip']) {
    await expect(uploadFile(context, { mimeType, bytes })).rejects.toMatchObject({ kind: 'invalid' });
  }
});

test('strangers, agents and nobody learn nothing of a file; template admins read it', async () => {
  const { context } = await givenPerson();
  const { id } = await upload(context);
  const stranger = await givenPerson();
  await expect(downloadFile(stranger.context, id)).rejects.toMatchObject({ kind: 'not_found' });
  await expect(downloadFile(stranger.context, newId())).rejects.toMatchObject({ kind: 'not_found' });
  await expect(downloadFile(contextOf({ kind: 'anonymous' }), id)).rejects.toMatchObject({ kind: 'unauthenticated' });
  await expect(
    uploadFile(contextOf({ kind: 'anonymous' }), { mimeType: 'application/x-tar', bytes: new Uint8Array(1024) }),
  ).rejects.toMatchObject({
    kind: 'unauthenticated',
  });
  const admin = await givenPerson({ siteRoles: ['template-admin'] });
  await expect(downloadFile(admin.context, id)).resolves.toMatchObject({ mimeType: 'application/x-tar' });
});

test('who may update a template that uses a file may read the file', async () => {
  const { context } = await givenPerson();
  const { id } = await upload(context);
  const editor = await givenPerson();
  const { organization, version } = await make.template({ userAcl: { [editor.id]: ['*'] } });
  await expect(downloadFile(editor.context, id)).rejects.toMatchObject({ kind: 'not_found' });
  await prisma.provisionerJob.update({ where: { id: version.jobId }, data: { fileId: id } });
  await expect(downloadFile(editor.context, id)).resolves.toMatchObject({ mimeType: 'application/x-tar' });

  const user = await givenPerson();
  await prisma.organizationMember.create({ data: { organizationId: organization.id, userId: user.id } });
  await expect(downloadFile(contextOf(await userPrincipal(prisma, user.id)), id)).rejects.toMatchObject({ kind: 'not_found' });
});

test('a provisioner reads the files of its organization’s jobs, and no others', async () => {
  const { job, organization } = await make.version();
  const provisioner = { kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} } as const;
  await expect(downloadFile(contextOf(provisioner), job.fileId)).resolves.toMatchObject({ mimeType: 'application/x-tar' });
  const other = await make.version();
  await expect(downloadFile(contextOf(provisioner), other.job.fileId)).rejects.toMatchObject({ kind: 'not_found' });
});
