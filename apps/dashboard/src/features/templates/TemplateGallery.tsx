import { Box, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconSearchOff, IconTemplate } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { StarterTemplates } from './StarterTemplates.tsx';
import { TemplateCard } from './TemplateCard.tsx';
import { templateTitle } from './template-name.ts';

interface Props {
  /** Where the cards lead. */
  readonly to: 'template' | 'new workspace';
  readonly q?: string;
  /** The button that ends a search without result. */
  readonly onClear?: React.ReactNode;
}

/** The templates as cards, then the starters that nobody added yet. */
export function TemplateGallery({ to, q = '', onClear }: Props): React.JSX.Element {
  const templates = useQuery(trpc.templates.list.queryOptions(q === '' ? {} : { q }, { placeholderData: keepPreviousData }));
  if (templates.isError) {
    return <ErrorNotice error={templates.error} title="The templates could not be loaded" onRetry={() => void templates.refetch()} />;
  }
  if (templates.data === undefined) {
    return (
      <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }} role="status" aria-busy="true" aria-label="Loading templates">
        {[1, 2, 3].map((card) => (
          <Skeleton key={card} height={148} radius="md" />
        ))}
      </SimpleGrid>
    );
  }
  if (templates.data.length === 0 && q !== '') {
    return (
      <EmptyState icon={<IconSearchOff size={24} />} title="No template matches" action={onClear}>
        Terms are joined by “and”. Try fewer of them.
      </EmptyState>
    );
  }
  return (
    <Stack gap="xl">
      {templates.data.length === 0 ? (
        <EmptyState icon={<IconTemplate size={24} />} title="No templates yet">
          A template says what a workspace is made of. Begin with a starter, or bring your own.
        </EmptyState>
      ) : (
        <Box style={{ opacity: templates.isPlaceholderData ? 0.6 : 1 }}>
          <SimpleGrid cols={{ base: 1, sm: 2, md: 3 }}>
            {templates.data.map((template) => (
              <TemplateCard key={template.id} template={template} to={to} />
            ))}
          </SimpleGrid>
        </Box>
      )}
      {q === '' && <StarterTemplates except={templates.data.map(templateTitle)} />}
    </Stack>
  );
}
