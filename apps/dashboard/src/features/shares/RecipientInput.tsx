import { Autocomplete } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import type { Recipient } from './recipients.ts';
import { recipientOf, recipientsOf } from './recipients.ts';

const MEMBERS_MAX = 1000;
const OPTIONS_MAX = 30;

interface Props {
  readonly workspace: Workspace;
  readonly text: string;
  readonly onChange: (text: string, recipient: Recipient['input'] | undefined) => void;
  readonly error: React.ReactNode;
}

/** Finds a member or a group of the workspace's organization; whom one does not see is named by the username. */
export function RecipientInput({ workspace, text, onChange, error }: Props): React.JSX.Element {
  const organization = workspace.organization_id;
  const members = useQuery(trpc.members.list.queryOptions({ organization, limit: MEMBERS_MAX }));
  const groups = useQuery(trpc.groups.listByOrganization.queryOptions({ organization }));
  const known = recipientsOf({ people: members.data ?? [], groups: groups.data ?? [], ownerId: workspace.owner_id });
  const all = [...known.groups, ...known.people];
  return (
    <Autocomplete
      label="Who"
      description="Somebody of the organization, or a group."
      placeholder="Name or username"
      data-autofocus
      limit={OPTIONS_MAX}
      data={[
        { group: 'Groups', items: known.groups.map(({ label }) => label) },
        { group: 'People', items: known.people.map(({ label }) => label) },
      ]}
      value={text}
      onChange={(typed) => onChange(typed, recipientOf(typed, all))}
      error={error}
    />
  );
}
