import { Button } from '@mantine/core';
import { IconBox, IconSearchOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { StarterTemplates } from '../templates/StarterTemplates.tsx';
import { ButtonLink } from '../../ui/links.tsx';

/** An empty list: the way on, from nothing to the first workspace. */
export function NoWorkspaces({ isSearch, onClear }: { isSearch: boolean; onClear: () => void }): React.JSX.Element {
  if (isSearch) {
    return (
      <EmptyState
        icon={<IconSearchOff size={24} />}
        title="No workspace matches"
        action={
          <Button variant="default" onClick={onClear}>
            Clear the search
          </Button>
        }
      >
        Terms are joined by “and”. Try fewer of them.
      </EmptyState>
    );
  }
  return <FirstWorkspace />;
}

function FirstWorkspace(): React.JSX.Element {
  const templates = useQuery(trpc.templates.list.queryOptions({}));
  const hasTemplates = (templates.data?.length ?? 0) > 0;
  return (
    <>
      <EmptyState
        icon={<IconBox size={24} />}
        title="No workspaces yet"
        action={hasTemplates && <ButtonLink to="/workspaces/new">Create your first workspace</ButtonLink>}
      >
        {hasTemplates
          ? 'A workspace is your own environment, made from a template, with a shell that is there in a moment.'
          : 'Workspaces are made from templates. Begin with one of these starters; you can change it later.'}
      </EmptyState>
      {templates.data !== undefined && !hasTemplates && <StarterTemplates />}
    </>
  );
}
