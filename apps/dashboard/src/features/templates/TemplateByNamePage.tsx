import { SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../ui/Page.tsx';
import { NoTemplate, TemplateFailure } from './TemplateFailure.tsx';
import { TemplateCard } from './TemplateCard.tsx';

/** Finds a template by its name alone: goes there, or asks which organization's is meant. */
export function TemplateByNamePage(): React.JSX.Element {
  const { name } = useParams({ from: '/session/shell/templates/$name' });
  const found = useQuery(trpc.templates.list.queryOptions({ q: `exact_name:${JSON.stringify(name)}` }));
  if (found.isError) {
    return <TemplateFailure name={name} error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (found.data === undefined) {
    return (
      <Page title={name}>
        <Skeleton height={260} radius="md" />
      </Page>
    );
  }
  const [only, ...others] = found.data;
  if (only === undefined) return <NoTemplate name={name} />;
  if (others.length === 0) {
    return <Navigate replace to="/templates/$organization/$name" params={{ organization: only.organization_name, name: only.name }} />;
  }
  return (
    <Page title={name} subtitle="Several organizations have a template of this name.">
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        {found.data.map((template) => (
          <TemplateCard key={template.id} template={template} to="template" />
        ))}
      </SimpleGrid>
    </Page>
  );
}
