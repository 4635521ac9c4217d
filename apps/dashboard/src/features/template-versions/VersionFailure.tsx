import { ButtonLink } from '../../ui/links.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';
import { TemplateFailure } from '../templates/TemplateFailure.tsx';

interface Props {
  /** Why the template could not be loaded; null when it was the version. */
  readonly templateError: unknown;
  readonly error: unknown;
  /** The version as the address names it. */
  readonly at: { readonly organization: string; readonly name: string; readonly version: string };
  readonly onRetry: () => void;
}

/** In place of a version that could not be loaded. */
export function VersionFailure({ templateError, error, at, onRetry }: Props): React.JSX.Element {
  const { organization, name, version } = at;
  if (templateError !== null) return <TemplateFailure name={`${organization}/${name}`} error={templateError} onRetry={onRetry} />;
  const back = (
    <ButtonLink to="/templates/$organization/$name" params={{ organization, name }} search={{ tab: 'versions' }}>
      Go to the template’s versions
    </ButtonLink>
  );
  return <LoadFailure error={error} kind="version" name={`${version} of ${organization}/${name}`} back={back} onRetry={onRetry} />;
}
