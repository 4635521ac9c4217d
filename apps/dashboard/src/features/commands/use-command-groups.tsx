import { useMantineColorScheme } from '@mantine/core';
import {
  IconArrowRight,
  IconBaselineDensityMedium,
  IconBuilding,
  IconHistory,
  IconKeyboard,
  IconLogout,
  IconPalette,
  IconPlus,
  IconTemplate,
  IconUser,
  IconCode,
} from '@tabler/icons-react';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { useNavigation } from '../../shell/navigation.tsx';
import { peoplePages, seesPeople } from '../access/people-pages.ts';
import { useSiteRights } from '../access/use-permissions.ts';
import { ACCOUNT_PAGES } from '../account/account-pages.ts';
import { setDensity, useDevicePreferences } from '../../ui/device-preferences.ts';
import { adminPages } from '../admin/admin-pages.ts';
import { COLOR_SCHEMES, useAppearance } from '../account/use-appearance.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { meQuery } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { personName } from '../users/user-words.ts';
import type { Command, CommandGroup } from './command.ts';
import { matchRank, matching } from './command.ts';
import { readQuery } from './query.ts';
import { placeOf, recentPaths } from './recent-places.ts';
import { pageGroups } from './registry.ts';
import { useFound } from './use-found.ts';
import { useWorkspaceCommands } from './workspace-commands.tsx';

const SIZE = 18;
const GROUP_ROWS = 6;
/** Of how many found workspaces the actions are shown: of the best one, or of several when the text says what to do. */
const ACTED_ON = { plain: 1, verb: 5 };

/** Everything that the palette shows for a text, by kind, the best kind first. `isSearching`: more may come. */
export function useCommandGroups(text: string, onHelp: () => void): { groups: readonly CommandGroup[]; isSearching: boolean } {
  const { may } = useSiteRights();
  const found = useFoundCommands(text, may.readUsers);
  const recent = useRecent();
  const places = usePlaces();
  const doings = useDoings(onHelp);
  const { words } = readQuery(text);
  if (words.length === 0) return { groups: [...pageGroups(), recent, places.main, doings].filter(isFilled), isSearching: false };
  const groups = [...pageGroups(), ...found.groups, places.all, doings]
    .map(({ title, commands }) => ({ title, commands: matching(commands, words).slice(0, GROUP_ROWS) }))
    .filter(isFilled);
  return { groups: withoutRepeats(bestFirst(groups, words)), isSearching: found.isSearching };
}

const WORKSPACES = 'Workspaces';
const ACTIONS = 'Actions';

/** The group with the best match first; what can be done with workspaces follows them. */
function bestFirst(groups: readonly CommandGroup[], words: readonly string[]): CommandGroup[] {
  const rankOf = ({ title, commands }: CommandGroup): number => {
    const meant = title === ACTIONS ? [...commands, ...(groups.find((group) => group.title === WORKSPACES)?.commands ?? [])] : commands;
    return Math.min(...meant.map((command) => matchRank(command, words) ?? Number.POSITIVE_INFINITY));
  };
  return groups.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const isFilled = ({ commands }: CommandGroup): boolean => commands.length > 0;

/** A page may offer what is found too: once is enough. */
function withoutRepeats(groups: readonly CommandGroup[]): CommandGroup[] {
  const seen = new Set<string>();
  return groups
    .map(({ title, commands }) => ({
      title,
      commands: commands.filter(({ id }) => {
        const isNew = !seen.has(id);
        seen.add(id);
        return isNew;
      }),
    }))
    .filter(isFilled);
}

function useFoundCommands(text: string, mayReadUsers: boolean): { groups: CommandGroup[]; isSearching: boolean } {
  const navigate = useNavigate();
  const { words, verb } = readQuery(text);
  const found = useFound(text, mayReadUsers);
  const workspaces = useWorkspaceCommands();
  const organizations = useQuery(trpc.organizations.list.queryOptions({}, { enabled: words.length > 0, staleTime: 60_000 }));
  const actedOn = matching(
    found.workspaces.map((workspace) => ({ ...workspaces.open(workspace), workspace })),
    verb === null ? words : words.slice(1),
  ).slice(0, verb === 'workspace' ? ACTED_ON.verb : ACTED_ON.plain);
  const actions = actedOn.flatMap(({ workspace }) => workspaces.actions(workspace));
  return {
    isSearching: words.length > 0 && (found.isSearching || organizations.isLoading),
    groups: [
      { title: WORKSPACES, commands: found.workspaces.map((workspace) => workspaces.open(workspace)) },
      {
        title: ACTIONS,
        // Any of them, if the text names the workspace alone.
        commands: verb === 'workspace' ? actions : actions.map((action) => ({ ...action, keywords: `${action.keywords ?? ''} ${text}` })),
      },
      {
        title: 'Templates',
        commands: found.templates.flatMap((template): Command[] => {
          const title = organizationTitle({ name: template.name, display_name: template.display_name });
          const detail = template.organization_display_name === '' ? template.organization_name : template.organization_display_name;
          return [
            {
              id: `template:${template.id}`,
              title,
              detail,
              keywords: `template ${template.name}`,
              icon: <IconTemplate size={SIZE} />,
              run: () =>
                void navigate({
                  to: '/templates/$organization/$name',
                  params: { organization: template.organization_name, name: template.name },
                }),
            },
            {
              id: `new:${template.id}`,
              title: `New workspace from ${title}`,
              detail,
              keywords: `create ${template.name}`,
              icon: <IconPlus size={SIZE} />,
              run: () => void navigate({ to: '/workspaces/new', search: { template: template.id } }),
            },
          ];
        }),
      },
      {
        title: 'People',
        commands: found.users.map((user) => ({
          id: `user:${user.id}`,
          title: personName(user),
          detail: `${user.username} · ${user.email}`,
          keywords: 'user',
          icon: <IconUser size={SIZE} />,
          run: () => void navigate({ to: '/people/users/$user', params: { user: user.username } }),
        })),
      },
      {
        title: 'Organizations',
        commands: (organizations.data ?? []).map((organization) => ({
          id: `organization:${organization.id}`,
          title: organizationTitle(organization),
          detail: organization.name,
          keywords: 'organization',
          icon: <IconBuilding size={SIZE} />,
          run: () => void navigate({ to: '/people/organizations/$organization', params: { organization: organization.name } }),
        })),
      },
    ],
  };
}

function useRecent(): CommandGroup {
  const router = useRouter();
  const { data: me } = useSuspenseQuery(meQuery());
  const commands = recentPaths(localStorage, me.id)
    .filter((path) => path !== router.state.location.pathname)
    .flatMap((path): Command[] => {
      const place = placeOf(path);
      if (place === null) return [];
      return [
        {
          id: `recent:${path}`,
          title: place.title,
          detail: place.kind,
          icon: <IconHistory size={SIZE} />,
          run: () => void router.navigate({ href: path }),
        },
      ];
    });
  return { title: 'Recent', commands };
}

/** The pages that the signed-in person has a use for: the sections, and all of them. */
function usePlaces(): { main: CommandGroup; all: CommandGroup } {
  const navigate = useNavigate();
  const { may } = useSiteRights();
  const icon = <IconArrowRight size={SIZE} />;
  const main = useNavigation().map(({ to, label, key }): Command => ({
    id: `page:${to}`,
    title: label,
    keywords: `go to ${to}`,
    icon,
    keys: ['g', key],
    run: () => void navigate({ to }),
  }));
  const sections = [
    { section: 'Account', pages: ACCOUNT_PAGES },
    { section: 'People', pages: seesPeople(may) ? peoplePages(may) : [] },
    { section: 'Admin', pages: adminPages(may) },
  ];
  const below = sections.flatMap(({ section, pages }) =>
    pages.map(({ to, label }): Command => ({
      id: `page:${to}`,
      title: label,
      detail: section,
      keywords: `go to ${to}`,
      icon,
      run: () => void navigate({ to }),
    })),
  );
  return { main: { title: 'Go to', commands: main }, all: { title: 'Go to', commands: [...main, ...below] } };
}

/** What can be done from anywhere. */
function useDoings(onHelp: () => void): CommandGroup {
  const navigate = useNavigate();
  const { colorScheme } = useMantineColorScheme();
  const { choose } = useAppearance();
  const { density } = useDevicePreferences();
  const { may } = useSiteRights();
  const signOut = useSignOut();
  const commands: Command[] = [
    {
      id: 'do:new-workspace',
      title: 'New workspace',
      keywords: 'create',
      icon: <IconPlus size={SIZE} />,
      keys: ['n'],
      run: () => void navigate({ to: '/workspaces/new' }),
    },
    ...(may.createTemplates
      ? [
          {
            id: 'do:new-template',
            title: 'New template',
            keywords: 'create',
            icon: <IconPlus size={SIZE} />,
            run: () => void navigate({ to: '/templates/new' }),
          },
        ]
      : []),
    ...COLOR_SCHEMES.filter(({ value }) => value !== colorScheme).map(({ value, label }) => ({
      id: `do:theme-${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      keywords: 'colour color scheme mode switch appearance',
      icon: <IconPalette size={SIZE} />,
      run: () => choose(value),
    })),
    {
      id: 'do:density',
      title: density === 'compact' ? 'Comfortable rows' : 'Compact rows',
      keywords: 'dense density compact comfortable appearance',
      icon: <IconBaselineDensityMedium size={SIZE} />,
      run: () => setDensity(density === 'compact' ? 'comfortable' : 'compact'),
    },
    { id: 'do:help', title: 'Keyboard shortcuts', keywords: 'help keys', icon: <IconKeyboard size={SIZE} />, keys: ['?'], run: onHelp },
    {
      id: 'do:explorer',
      title: 'API explorer',
      keywords: 'documentation rest openapi',
      icon: <IconCode size={SIZE} />,
      run: () => void window.open('/api/v2/docs', '_blank', 'noreferrer'),
    },
    { id: 'do:sign-out', title: 'Sign out', keywords: 'log out leave', icon: <IconLogout size={SIZE} />, run: () => signOut.mutate({}) },
  ];
  return { title: 'Do', commands };
}
