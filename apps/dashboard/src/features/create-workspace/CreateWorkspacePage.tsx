import { Skeleton, Stack } from '@mantine/core';
import { IconTemplateOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { templateTitle } from '../templates/template-name.ts';
import { TemplateGallery } from '../templates/TemplateGallery.tsx';
import { VersionGate } from './VersionGate.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';

/** Choose a template, then fill in its form. */
export function CreateWorkspacePage(): React.JSX.Element {
  const { template } = useSearch({ from: '/session/shell/workspaces/new' });
  if (template === undefined) {
    return (
      <Page title="New workspace" subtitle="Choose a template.">
        <TemplateGallery to="new workspace" />
      </Page>
    );
  }
  return <ChosenTemplate key={template} wanted={template} />;
}

/** `wanted` is a template's id, or its name in a link that people wrote. */
function ChosenTemplate({ wanted }: { wanted: string }): React.JSX.Element {
  const templates = useQuery(trpc.templates.list.queryOptions({}));
  const template = templates.data?.find(({ id }) => id === wanted) ?? templates.data?.find(({ name }) => name === wanted);
  if (templates.isError) {
    return <ErrorNotice error={templates.error} title="The template could not be loaded" onRetry={() => void templates.refetch()} />;
  }
  if (templates.data === undefined) {
    return (
      <Page title="New workspace">
        <Stack maw={640}>
          <Skeleton height={60} />
          <Skeleton height={60} />
        </Stack>
      </Page>
    );
  }
  if (template === undefined) {
    return (
      <EmptyState
        icon={<IconTemplateOff size={24} />}
        title="This template is not there"
        isPage
        action={<ButtonLink to="/workspaces/new">Choose another</ButtonLink>}
      >
        It was deleted, or you may not use it.
      </EmptyState>
    );
  }
  return (
    <Page
      title="New workspace"
      subtitle={
        <>
          From {templateTitle(template)} ·{' '}
          <AnchorLink to="/workspaces/new" search={{}} size="sm">
            choose another template
          </AnchorLink>
        </>
      }
    >
      <VersionGate template={template} />
    </Page>
  );
}
