import { IconTemplateOff } from '@tabler/icons-react';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';

/** In place of a template that is not there. */
export function NoTemplate({ name }: { name: string }): React.JSX.Element {
  return (
    <EmptyState
      icon={<IconTemplateOff size={24} />}
      title="This template is not there"
      isPage
      action={<ButtonLink to="/templates">Go to the templates</ButtonLink>}
    >
      {name} was deleted or renamed, or you may not see it.
    </EmptyState>
  );
}
