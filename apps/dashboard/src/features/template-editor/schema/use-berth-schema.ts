import { useQuery } from '@tanstack/react-query';
import type { JsonSchema } from './json-schema.ts';

/** The schema of `berth.yaml`; undefined until it is here. Without it the editor is an editor all the same. */
export function useBerthSchema(): JsonSchema | undefined {
  return useQuery({
    queryKey: ['berth-schema'],
    queryFn: async (): Promise<JsonSchema> => (await import('berth.schema.json')).default,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
}
