import { Skeleton, Stack } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { parametersOf } from '../../app/new-workspace-search.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink, ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { searchText } from '../../ui/search-params.ts';
import { NotFound } from '../../ui/NotFound.tsx';
import { templateTitle } from '../templates/template-name.ts';
import { TemplateGallery } from '../templates/TemplateGallery.tsx';
import { CreateWorkspaceForm } from './CreateWorkspaceForm.tsx';
import { LinkConsent } from './LinkConsent.tsx';
import { templateMeant } from './template-meant.ts';
import { VersionGate } from './VersionGate.tsx';

const FROM = '/session/shell/workspaces/new';

/** Choose a template, then fill in its form. */
export function CreateWorkspacePage(): React.JSX.Element {
  const search = useSearch({ from: FROM });
  const { template } = search;
  if (template === undefined) {
    return (
      <Page title="New workspace" subtitle="Choose a template.">
        <TemplateGallery to="new workspace" />
      </Page>
    );
  }
  // Whoever agreed to one link has not agreed to the next.
  return <ChosenTemplate key={searchText(search)} wanted={template} />;
}

/** `wanted` is a template's id, or its name in a link that people wrote. */
function ChosenTemplate({ wanted }: { wanted: string }): React.JSX.Element {
  const templates = useQuery(trpc.templates.list.queryOptions({}));
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
  const template = templateMeant(templates.data, wanted);
  if (template === undefined) {
    return <NotFound kind="template" name={wanted} back={<ButtonLink to="/workspaces/new">Choose another template</ButtonLink>} />;
  }
  return <FromTemplate template={template} />;
}

/** Values that came with the address are shown first, and put into the form only once the person has agreed. */
function FromTemplate({ template }: { template: Template }): React.JSX.Element {
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: '/workspaces/new' });
  const link = { name: search.name ?? '', values: parametersOf(search) };
  const [isAgreed, setAgreed] = useState(false);
  const isAsked = !isAgreed && (link.name !== '' || Object.keys(link.values).length > 0);
  return (
    <Page
      title={isAsked ? 'A link fills in a new workspace' : 'New workspace'}
      subtitle={
        <>
          From {templateTitle(template)} ·{' '}
          <AnchorLink to="/workspaces/new" search={{}} size="sm">
            choose another template
          </AnchorLink>
        </>
      }
    >
      <VersionGate template={template}>
        {(facts) =>
          isAsked ? (
            <LinkConsent
              template={template}
              {...facts}
              link={link}
              onAgree={() => setAgreed(true)}
              onRefuse={() => void navigate({ search: { template: template.id } })}
            />
          ) : (
            <CreateWorkspaceForm template={template} {...facts} link={link} />
          )
        }
      </VersionGate>
    </Page>
  );
}
