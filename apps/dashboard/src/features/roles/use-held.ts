import type { Permission } from '@berth/rbac/resources';
import { PERMISSIONS } from '@berth/rbac/resources';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/trpc.ts';
import type { Place } from '../access/use-permissions.ts';
import { ask, PERMISSIONS_KEY } from '../access/use-permissions.ts';

/** How many questions one call may ask. */
const CHECKS_MAX = 100;
const FRESH_MS = 60_000;

/** Every permission that the signed-in person holds in a place; undefined until it is known. */
export function useHeld(place: Place): ReadonlySet<string> | undefined {
  const held = useQuery({
    queryKey: [...PERMISSIONS_KEY, 'held', place],
    queryFn: ({ signal }) => askAll(place, signal),
    staleTime: FRESH_MS,
  });
  return held.data;
}

async function askAll(place: Place, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const answers = await Promise.all(
    slices(PERMISSIONS, CHECKS_MAX).map(async (permissions) => {
      const checks = Object.fromEntries(permissions.map((permission: Permission) => [permission, ask(permission, place)]));
      return await client.authorization.check.mutate({ checks }, { signal });
    }),
  );
  return new Set(answers.flatMap((answer) => Object.entries(answer).flatMap(([permission, isHeld]) => (isHeld ? [permission] : []))));
}

function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
