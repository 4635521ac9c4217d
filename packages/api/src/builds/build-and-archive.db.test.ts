import { given } from '@berth/testing';
import { expect, test } from 'vitest';
import { createTestApi } from '../testing/index.ts';

const { prisma, callAsUser } = await createTestApi();
const rows = given(prisma);

/** How many statements wait for a lock now. */
async function waiting(): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return Number(row?.count);
}

test('a version that a build is about to stand on is not archived under it', async () => {
  const { organization, owner, workspace, template } = await rows.workspace();
  const admin = await rows.user({ siteRoles: ['owner'] });
  const { version } = await rows.version({ templateId: template.id, organization });

  const [built, archived] = await prisma
    .$transaction(
      async (db) => {
        // Holds the build up in its middle: it has its version, and there is no row yet that says so.
        await db.$queryRaw`SELECT 1 FROM workspaces WHERE id = ${workspace.id}::uuid FOR UPDATE`;
        const build = callAsUser(owner.id).builds.create({ workspace: workspace.id, transition: 'start', template_version_id: version.id });
        await expect.poll(waiting).toBe(1);
        const archiving = callAsUser(admin.id).templateVersions.archiveUnused({ template: template.id, all: true });
        await expect.poll(waiting).toBe(2);
        return [build, archiving] as const;
      },
      { timeout: 20_000 },
    )
    .then((both) => Promise.all(both));

  expect(built.template_version_id).toBe(version.id);
  expect(archived.archived_ids).not.toContain(version.id);
});
