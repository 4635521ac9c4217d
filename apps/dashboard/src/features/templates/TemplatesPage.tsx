import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { Page } from '../../ui/Page.tsx';
import { SearchBox } from '../../ui/SearchBox.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { TemplateGallery } from './TemplateGallery.tsx';

const PRESETS = [
  { label: 'All templates', q: '' },
  { label: 'Not deprecated', q: 'deprecated:false' },
  { label: 'Deprecated', q: 'deprecated:true' },
] as const;

/** What workspaces can be made from. */
export function TemplatesPage(): React.JSX.Element {
  const { q = '' } = useSearch({ from: '/session/shell/templates' });
  const navigate = useNavigate({ from: '/templates' });
  const { may } = useSiteRights();
  const search = (next: string): void => void navigate({ search: next === '' ? {} : { q: next }, replace: true });
  return (
    <Page
      title="Templates"
      subtitle="What workspaces are made from."
      actions={
        may.createTemplates && (
          <ButtonLink to="/templates/new" leftSection={<IconPlus size={16} />}>
            New template
          </ButtonLink>
        )
      }
    >
      <SearchBox
        key={q}
        label="Search templates"
        placeholder="Search: node deprecated:false organization:default"
        q={q}
        onSearch={search}
        presets={PRESETS}
      />
      <TemplateGallery
        to="template"
        q={q}
        onClear={
          <Button variant="default" onClick={() => search('')}>
            Clear the search
          </Button>
        }
      />
    </Page>
  );
}
