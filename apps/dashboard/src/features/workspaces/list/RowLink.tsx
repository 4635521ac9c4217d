import type { Workspace } from '@berth/api/contract/workspaces';
import { useRouter } from '@tanstack/react-router';
import classes from './WorkspaceList.module.css';

interface Props {
  readonly workspace: Workspace;
  readonly children: React.ReactNode;
}

/** The way to a workspace. A link of the router each would ask the router about itself whenever anything is navigated. */
export function RowLink({ workspace, children }: Props): React.JSX.Element {
  const router = useRouter();
  const params = { owner: workspace.owner_name, name: workspace.name };
  return (
    <a
      href={`/@${encodeURIComponent(params.owner)}/${encodeURIComponent(params.name)}`}
      className={classes['link']}
      title={`${params.owner}/${params.name}`}
      onClick={(event) => {
        if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        void router.navigate({ to: '/@{$owner}/$name', params });
      }}
    >
      {children}
    </a>
  );
}
