import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { freeTerm, readQuery } from './query.ts';

/** More than are shown: those without all the words are left out. */
const ASKED_ROWS = 12;
const TYPING_PAUSE_MS = 180;
const FRESH_MS = 10_000;

export interface Found {
  readonly workspaces: Outputs['workspaces']['list']['workspaces'];
  readonly templates: Outputs['templates']['list'];
  readonly users: Outputs['users']['list']['users'];
  /** Whether something is still asked for: what is not there may yet come. */
  readonly isSearching: boolean;
}

/** What the server finds for the text: a few of each kind, asked for when typing pauses. Each kind that fails is left out. */
export function useFound(text: string, mayReadUsers: boolean): Found {
  const [settled] = useDebouncedValue(text, TYPING_PAUSE_MS);
  const { verb, subject } = readQuery(settled);
  const term = freeTerm(subject);
  const options = { placeholderData: keepPreviousData, staleTime: FRESH_MS, retry: false };
  const wanted = {
    workspaces: verb !== 'template' && (term !== '' || verb === 'workspace'),
    templates: verb !== 'workspace' && (term !== '' || verb === 'template'),
  };
  const workspaces = useQuery(
    trpc.workspaces.list.queryOptions(
      { q: term === '' ? 'owner:me' : term, limit: ASKED_ROWS },
      { ...options, enabled: wanted.workspaces },
    ),
  );
  const templates = useQuery(trpc.templates.list.queryOptions({ q: term, limit: ASKED_ROWS }, { ...options, enabled: wanted.templates }));
  const wantsUsers = verb === null && term !== '' && mayReadUsers;
  const users = useQuery(trpc.users.list.queryOptions({ q: term, limit: ASKED_ROWS }, { ...options, enabled: wantsUsers }));
  return {
    workspaces: wanted.workspaces ? (workspaces.data?.workspaces ?? []) : [],
    templates: wanted.templates ? (templates.data ?? []) : [],
    users: wantsUsers ? (users.data?.users ?? []) : [],
    isSearching: settled !== text || workspaces.isFetching || templates.isFetching || users.isFetching,
  };
}
