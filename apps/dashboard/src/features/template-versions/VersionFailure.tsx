import { IconTemplateOff } from '@tabler/icons-react';
import { isKind } from '../../api/errors.ts';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { ButtonLink } from '../../ui/links.tsx';

interface Props {
  readonly error: unknown;
  /** The version as the address names it. */
  readonly at: { readonly organization: string; readonly name: string; readonly version: string };
  readonly onRetry: () => void;
}

/** In place of a version that could not be loaded. */
export function VersionFailure({ error, at, onRetry }: Props): React.JSX.Element {
  if (!isKind(error, 'not_found')) return <ErrorNotice error={error} title="The version could not be loaded" onRetry={onRetry} />;
  return (
    <EmptyState
      icon={<IconTemplateOff size={24} />}
      title="This version is not there"
      isPage
      action={<ButtonLink to="/templates">Go to the templates</ButtonLink>}
    >
      {at.version} of {at.organization}/{at.name} was renamed, or you may not see it.
    </EmptyState>
  );
}
