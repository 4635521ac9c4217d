import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../ui/Page.tsx';
import { TemplateFailure } from '../templates/TemplateFailure.tsx';

/** Leads to the editor of the template's active version. */
export function EditActivePage(): React.JSX.Element {
  const { organization, name } = useParams({ from: '/session/shell/templates/$organization/$name/edit' });
  const template = useQuery(trpc.templates.getByName.queryOptions({ organization, templatename: name }));
  const version = useQuery(
    trpc.templateVersions.get.queryOptions(
      { templateversion: template.data?.active_version_id ?? '' },
      { enabled: template.data !== undefined },
    ),
  );
  const failed = [template, version].find(({ isError }) => isError);
  if (failed !== undefined) {
    return <TemplateFailure name={`${organization}/${name}`} error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  if (version.data !== undefined) {
    return (
      <Navigate
        to="/templates/$organization/$name/versions/$version/edit"
        params={{ organization, name, version: version.data.name }}
        replace
      />
    );
  }
  return (
    <Page title={`Edit ${name}`}>
      <Skeleton height={560} radius="md" />
    </Page>
  );
}
