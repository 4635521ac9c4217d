import { Skeleton, Stack } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { meQuery } from '../session/session.ts';
import { FilesFailure } from '../template-files/FilesTab.tsx';
import { useArchiveFiles } from '../template-files/use-archive-files.ts';
import type { Version } from '../template-versions/version-words.ts';
import { useTemplateRights } from '../templates/use-template-rights.ts';
import { Editor } from './Editor.tsx';
import { VersionFailure } from '../template-versions/VersionFailure.tsx';

const ROUTE = '/session/shell/templates/$organization/$name/versions/$version/edit';

/** The editor of a template, beginning with the files of one of its versions. */
export function EditorPage(): React.JSX.Element {
  const { organization, name, version: versionName } = useParams({ from: ROUTE });
  const { file, line } = useSearch({ from: ROUTE });
  const me = useQuery(meQuery());
  const template = useQuery(trpc.templates.getByName.queryOptions({ organization, templatename: name }));
  const version = useQuery(
    trpc.templateVersions.getByNames.queryOptions({ organization, templatename: name, templateversionname: versionName }),
  );
  const failed = [template, version, me].find(({ isError }) => isError);
  if (failed !== undefined) {
    const at = { organization, name, version: versionName };
    return <VersionFailure templateError={template.error} error={failed.error} at={at} onRetry={() => void failed.refetch()} />;
  }
  if (template.data === undefined || version.data === undefined || me.data === undefined) return <Loading name={name} />;
  return <Permitted template={template.data} version={version.data} userId={me.data.id} at={{ file, line }} />;
}

interface PermittedProps {
  readonly template: Template;
  readonly version: Version;
  readonly userId: string;
  readonly at: { readonly file?: string | undefined; readonly line?: number | undefined };
}

function Permitted({ template, version, userId, at }: PermittedProps): React.JSX.Element {
  const { may, isKnown } = useTemplateRights(template);
  const files = useArchiveFiles(version.job.file_id, { enabled: may.update });
  if (isKnown && !may.update) {
    return (
      <EmptyState
        icon={<IconLock size={24} />}
        title="You may not change this template"
        isPage
        action={
          <ButtonLink to="/templates/$organization/$name" params={{ organization: template.organization_name, name: template.name }}>
            Go to the template
          </ButtonLink>
        }
      >
        Ask one of its administrators.
      </EmptyState>
    );
  }
  if (files.isError) return <FilesFailure error={files.error} onRetry={() => void files.refetch()} />;
  if (files.data === undefined) return <Loading name={template.name} />;
  return <Editor key={version.id} template={template} version={version} files={files.data} userId={userId} at={at} />;
}

function Loading({ name }: { name: string }): React.JSX.Element {
  return (
    <Page title={`Edit ${name}`}>
      <Stack aria-busy="true">
        <Skeleton height={560} radius="md" />
      </Stack>
    </Page>
  );
}
