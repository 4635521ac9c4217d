import { Group, Text } from '@mantine/core';
import type { Workspace } from '@berth/api/contract/workspaces';
import { Link } from '@tanstack/react-router';
import { When } from '../../ui/When.tsx';

/** Whose it is, from what, and when it was last used. */
export function WorkspaceSubtitle({ workspace }: { workspace: Workspace }): React.JSX.Element {
  const template = workspace.template_display_name === '' ? workspace.template_name : workspace.template_display_name;
  return (
    <Group gap={6}>
      <Link to="/workspaces" search={{ q: `owner:${workspace.owner_name}` }} className="quiet-link">
        {workspace.owner_name}
      </Link>
      <Text span aria-hidden>
        ·
      </Text>
      <Link
        to="/templates/$organization/$name"
        params={{ organization: workspace.organization_name, name: workspace.template_name }}
        className="quiet-link"
      >
        {template} {workspace.latest_build.template_version_name}
      </Link>
      <Text span aria-hidden>
        ·
      </Text>
      <span>
        last used <When at={workspace.last_used_at} />
      </span>
    </Group>
  );
}
