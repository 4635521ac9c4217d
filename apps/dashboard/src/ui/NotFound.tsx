import { IconMapSearch } from '@tabler/icons-react';
import { isKind } from '../api/errors.ts';
import { EmptyState } from './EmptyState.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

interface NotFoundProps {
  /** What the address names: "workspace". */
  readonly kind: string;
  /** As the address names it. */
  readonly name: string;
  /** A link to where others of its kind are. */
  readonly back: React.ReactNode;
  /** False beside other content, which has the heading of the page. */
  readonly isPage?: boolean;
}

/** In place of anything that an address names and that does not exist, or that the user must not know to exist. */
export function NotFound({ kind, name, back, isPage = true }: NotFoundProps): React.JSX.Element {
  return (
    <EmptyState icon={<IconMapSearch size={24} />} title={`${capitalized(kind)} not found`} isPage={isPage} action={back}>
      <span className="wrap-anywhere">“{name}” does not exist, or you do not have access to it. It may have been deleted or renamed.</span>
    </EmptyState>
  );
}

interface LoadFailureProps extends NotFoundProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In place of what an address names when it could not be loaded. Something that cannot be a name or an id names nothing. */
export function LoadFailure({ error, onRetry, ...named }: LoadFailureProps): React.JSX.Element {
  if (isKind(error, 'not_found') || isKind(error, 'invalid')) return <NotFound {...named} />;
  return <ErrorNotice error={error} title={`The ${named.kind} could not be loaded`} onRetry={onRetry} />;
}

function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
