import { useMutation, useQueryClient } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { notifyDone, notifyFailure } from '../../ui/notify.ts';
import type { Version } from './version-words.ts';

/** Forgets what is shown of templates and their versions, so that it is read again. */
export function useTemplatesChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(trpc.templateVersions.pathFilter()),
      queryClient.invalidateQueries(trpc.templates.pathFilter()),
    ]);
  };
}

/** Makes a version the one that new workspaces get. */
export function usePromote(version: Version) {
  const changed = useTemplatesChanged();
  return useMutation(
    trpc.templates.promote.mutationOptions({
      onSuccess: async () => {
        notifyDone(`New workspaces are made from ${version.name} now.`);
        await changed();
      },
      onError: (error) => notifyFailure(`${version.name} could not be promoted`, error),
    }),
  );
}

/** Puts a version out of the way. */
export function useArchive(version: Version) {
  const changed = useTemplatesChanged();
  return useMutation(
    trpc.templateVersions.archive.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${version.name} is archived.`);
        await changed();
      },
      onError: (error) => notifyFailure(`${version.name} could not be archived`, error),
    }),
  );
}

/** Brings an archived version back. */
export function useUnarchive(version: Version) {
  const changed = useTemplatesChanged();
  return useMutation(
    trpc.templateVersions.unarchive.mutationOptions({
      onSuccess: async () => {
        notifyDone(`${version.name} is back.`);
        await changed();
      },
      onError: (error) => notifyFailure(`${version.name} could not be brought back`, error),
    }),
  );
}
