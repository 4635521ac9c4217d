import { useQuery } from '@tanstack/react-query';
import { downloadArchive } from '../../api/download-archive.ts';
import { filesOfTar } from './untar.ts';

const KEEP_MS = 2 * 60_000;

/** The files of a stored archive, which never change. */
export function useArchiveFiles(fileId: string, { enabled = true }: { readonly enabled?: boolean } = {}) {
  return useQuery({
    queryKey: ['archive', fileId],
    queryFn: async ({ signal }) => filesOfTar(await downloadArchive(fileId, signal)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEEP_MS,
    structuralSharing: false,
    enabled,
  });
}
