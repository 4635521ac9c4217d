import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { client, trpc } from '../../api/trpc.ts';
import { readPoll } from './device-poll.ts';

type Code = Outputs['externalAuth']['beginDevice'];

export type DeviceLinkState =
  | { readonly kind: 'loading' }
  | { readonly kind: 'waiting'; readonly code: Code; readonly expiresAt: number }
  | { readonly kind: 'over'; readonly reason: 'expired' | 'denied' }
  | { readonly kind: 'failed'; readonly error: unknown };

type End = Extract<DeviceLinkState, { kind: 'over' | 'failed' }> & { readonly deviceCode: string };

const SHORTEST_SECONDS = 1;

/** Gets a code for a service and asks at the service's own pace, until the code expires, whether it was entered. */
export function useDeviceLink(id: string): { state: DeviceLinkState; again: () => void } {
  const queryClient = useQueryClient();
  // A code is for one attempt, so it is neither kept nor fetched again unasked.
  const begun = useQuery(
    trpc.externalAuth.beginDevice.queryOptions(
      { externalauth: id },
      { staleTime: Infinity, gcTime: 0, retry: false, refetchOnReconnect: false },
    ),
  );
  const [end, setEnd] = useState<End>();
  const code = begun.data;
  const expiresAt = code === undefined ? 0 : begun.dataUpdatedAt + code.expires_in * 1000;
  const deviceCode = code?.device_code;
  const interval = code?.interval ?? 0;

  useEffect(() => {
    if (deviceCode === undefined) return undefined;
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (seconds: number): Promise<void> => {
      try {
        await client.externalAuth.completeDevice.mutate({ externalauth: id, device_code: deviceCode }, { signal: abort.signal });
        await queryClient.invalidateQueries(trpc.externalAuth.get.pathFilter());
        await queryClient.invalidateQueries(trpc.externalAuth.list.pathFilter());
      } catch (error) {
        if (abort.signal.aborted) return;
        const result = readPoll(problemOf(error), seconds);
        if (result.kind === 'wait') wait(result.seconds);
        else if (result.kind === 'stop') setEnd({ kind: 'over', reason: result.reason, deviceCode });
        else setEnd({ kind: 'failed', error, deviceCode });
      }
    };
    const wait = (seconds: number): void => {
      if (Date.now() >= expiresAt) setEnd({ kind: 'over', reason: 'expired', deviceCode });
      else timer = setTimeout(() => void ask(seconds), seconds * 1000);
    };
    wait(Math.max(SHORTEST_SECONDS, interval));
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [id, deviceCode, interval, expiresAt, queryClient]);

  const again = (): void => void begun.refetch();
  if (begun.isFetching) return { state: { kind: 'loading' }, again };
  if (begun.isError) return { state: { kind: 'failed', error: begun.error }, again };
  if (end !== undefined && end.deviceCode === deviceCode) return { state: end, again };
  if (code === undefined) return { state: { kind: 'loading' }, again };
  return { state: { kind: 'waiting', code, expiresAt }, again };
}
