import { SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Page } from '../../ui/Page.tsx';
import { StarterTemplates } from './StarterTemplates.tsx';
import { TemplateCard } from './TemplateCard.tsx';
import { templateTitle } from './template-name.ts';

/** What workspaces can be made from. */
export function TemplatesPage(): React.JSX.Element {
  return (
    <Page title="Templates" subtitle="Choose one to make a workspace from it.">
      <TemplateGallery />
    </Page>
  );
}

/** The templates as cards, then the starters that nobody added yet. */
export function TemplateGallery(): React.JSX.Element {
  const templates = useQuery(trpc.templates.list.queryOptions({}));
  if (templates.isError) {
    return <ErrorNotice error={templates.error} title="The templates could not be loaded" onRetry={() => void templates.refetch()} />;
  }
  if (templates.data === undefined) {
    return (
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
        {[1, 2, 3].map((card) => (
          <Skeleton key={card} height={112} radius="md" />
        ))}
      </SimpleGrid>
    );
  }
  return (
    <Stack gap="xl">
      {templates.data.length === 0 ? (
        <EmptyState icon={<IconTemplate size={24} />} title="No templates yet">
          A template says what a workspace is made of. Begin with a starter, or push your own through the API.
        </EmptyState>
      ) : (
        <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
          {templates.data.map((template) => (
            <TemplateCard key={template.id} template={template} />
          ))}
        </SimpleGrid>
      )}
      <StarterTemplates except={templates.data.map(templateTitle)} />
    </Stack>
  );
}
