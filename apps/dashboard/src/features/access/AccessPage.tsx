import { Checkbox, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconHelpCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { AccessSearch } from '../../app/people-routes.tsx';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { PERMISSION_GROUPS } from '../account/permission-words.ts';
import { Section } from '../account/Section.tsx';
import { organizationTitle } from '../organizations/organization-words.ts';
import { UserPicker } from '../users/UserPicker.tsx';
import { Answer } from './Answer.tsx';
import { ObjectPicker } from './ObjectPicker.tsx';
import { namedType, questionOf } from './question.ts';

const TYPES = PERMISSION_GROUPS.map(({ type, label }) => ({ value: type, label }));

/** May this person do that, and why? The question stands in the URL. */
export function AccessPage(): React.JSX.Element {
  const search = useSearch({ from: '/session/shell/people/access' });
  const navigate = useNavigate({ from: '/people/access' });
  const user = useQuery(trpc.users.get.queryOptions({ user: search.user ?? '' }, { enabled: search.user !== undefined }));
  const set = (change: Partial<Record<keyof AccessSearch, string | true | undefined>>): void =>
    void navigate({ search: (known) => without({ ...known, ...change }), replace: true });
  const chosen = search.user === undefined ? null : (user.data ?? null);
  const question = questionOf(search, chosen?.id);
  const actions = PERMISSION_GROUPS.find(({ type }) => type === search.type)?.permissions ?? [];
  return (
    <Page title="Who may what" subtitle="Ask whether somebody may do something, and by which role, group or list.">
      <Section title="The question">
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          <UserPicker
            label="Who"
            placeholder="Name, username or e-mail"
            value={chosen}
            onChange={(next) => set({ user: next?.username })}
            error={user.isError && search.user !== undefined ? `${search.user} is not there, or not for you to see.` : undefined}
          />
          <Select
            label="What"
            placeholder="Kind of thing"
            data={TYPES}
            searchable
            value={search.type ?? null}
            onChange={(type) => set({ type: type ?? undefined, action: undefined, id: undefined })}
          />
          <Select
            label="Action"
            placeholder={search.type === undefined ? 'Choose a kind of thing first' : 'Choose one'}
            data={actions.map(({ value, label }) => ({ value: value.slice(value.indexOf(':') + 1), label }))}
            disabled={search.type === undefined}
            value={search.action ?? null}
            onChange={(action) => set({ action: action ?? undefined })}
          />
          <Which search={search} set={set} />
        </SimpleGrid>
      </Section>
      {question === null ? (
        <EmptyState icon={<IconHelpCircle size={24} />} title="Ask away">
          Choose who, what and which action. The link of this page is the question: share it with whoever asks you.
        </EmptyState>
      ) : (
        <Answer question={question} username={chosen?.username ?? ''} />
      )}
    </Page>
  );
}

interface WhichProps {
  readonly search: AccessSearch;
  readonly set: (change: Partial<Record<keyof AccessSearch, string | true | undefined>>) => void;
}

/** The very thing, or where it is and whose. */
function Which({ search, set }: WhichProps): React.JSX.Element | null {
  const organizations = useQuery(trpc.organizations.list.queryOptions({}, { staleTime: 60_000 }));
  const type = namedType(search.type);
  if (search.type === undefined) return null;
  return (
    <>
      {type !== undefined && <ObjectPicker key={type} type={type} id={search.id} onChange={(id) => set({ id })} />}
      {search.id === undefined && (
        <>
          <Select
            label="In organization"
            placeholder="No organization: on the whole site"
            clearable
            clearButtonProps={{ 'aria-label': 'No organization' }}
            data={(organizations.data ?? []).map((organization) => ({ value: organization.id, label: organizationTitle(organization) }))}
            value={search.organization ?? null}
            onChange={(organization) => set({ organization: organization ?? undefined })}
          />
          <Stack justify="flex-end" gap={4} pb={8}>
            <Checkbox
              label="Their own"
              checked={search.own === true}
              onChange={(event) => set({ own: event.currentTarget.checked ? true : undefined })}
            />
          </Stack>
        </>
      )}
      {organizations.isError && <ErrorNotice error={organizations.error} title="The organizations could not be loaded" />}
      {type !== undefined && search.id === undefined && (
        <Text size="xs" c="dimmed" style={{ gridColumn: '1 / -1' }}>
          Without a certain one, the lists of people and groups that single things are shared with do not count.
        </Text>
      )}
    </>
  );
}

function without(search: Partial<Record<keyof AccessSearch, string | boolean | undefined>>): AccessSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
