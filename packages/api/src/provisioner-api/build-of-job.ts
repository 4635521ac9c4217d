import type { Tx } from '@berth/db';
import type { Transition } from '@berth/domain';
import { TRANSITIONS } from '@berth/domain';

const BUILD = {
  id: true,
  buildNumber: true,
  transition: true,
  reason: true,
  templateVersionId: true,
  workspace: {
    select: {
      id: true,
      name: true,
      ownerId: true,
      organizationId: true,
      owner: { select: { username: true } },
      template: { select: { icon: true } },
    },
  },
} as const;

/** The build that a job makes, with what is needed to end it. */
export async function requireBuild(db: Tx, jobId: string) {
  const build = await db.workspaceBuild.findUniqueOrThrow({ where: { jobId }, select: BUILD });
  return { ...build, transition: asTransition(build.transition) };
}

export type BuildOfJob = Awaited<ReturnType<typeof requireBuild>>;

function asTransition(text: string): Transition {
  const transition = TRANSITIONS.find((known) => known === text);
  if (transition === undefined) throw new Error(`a build with the transition "${text}"`);
  return transition;
}
