import type { Template } from '@berth/api/contract/templates';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client, trpc } from '../../../api/trpc.ts';
import { uploadArchive } from '../../../api/upload.ts';
import { tarOf } from '../../template-files/tar.ts';
import type { Version } from '../../template-versions/version-words.ts';
import type { Draft } from '../draft/draft.ts';
import { changedPaths, filesOf } from '../draft/draft.ts';

const POLL_MS = 1000;

interface Wish {
  readonly draft: Draft;
  /** With values for variables that the files ask for. */
  readonly variables?: readonly { readonly name: string; readonly value: string }[];
}

export interface DraftBuild {
  readonly build: (wish: Wish) => void;
  readonly isSending: boolean;
  /** Why the files were not taken; null when they were. */
  readonly error: unknown;
  /** The version that was made of the files last, as its import goes. */
  readonly version: Version | undefined;
  readonly refetch: () => void;
  /** Whether the files differ from those of the last build. */
  readonly isStale: (draft: Draft) => boolean;
}

/** Makes versions of a template from what is in the editor, each with its import. */
export function useDraftBuild(template: Template): DraftBuild {
  const queryClient = useQueryClient();
  const sent = useMutation({
    mutationFn: async ({ draft, variables = [] }: Wish) => {
      const fileId = await uploadArchive(tarOf(filesOf(draft)), 'application/x-tar');
      const version = await client.templateVersions.create.mutate({
        organization: template.organization_id,
        template_id: template.id,
        name: '',
        message: '',
        provisioner: template.provisioner,
        storage_method: 'file',
        file_id: fileId,
        user_variable_values: [...variables],
      });
      return { version, draft };
    },
    onSuccess: async ({ version }) => {
      queryClient.setQueryData(trpc.templateVersions.get.queryKey({ templateversion: version.id }), version);
      await queryClient.invalidateQueries(trpc.templateVersions.list.pathFilter());
    },
  });
  const versionId = sent.data?.version.id ?? '';
  const version = useQuery(
    trpc.templateVersions.get.queryOptions(
      { templateversion: versionId },
      {
        enabled: versionId !== '',
        staleTime: 0,
        refetchInterval: (query) => (query.state.data?.job.completed_at === null ? POLL_MS : false),
      },
    ),
  );
  return {
    build: (wish) => sent.mutate(wish),
    isSending: sent.isPending,
    error: sent.error,
    version: version.data,
    refetch: () => void version.refetch(),
    isStale: (draft) => sent.data === undefined || changedPaths(sent.data.draft, draft).size > 0,
  };
}
