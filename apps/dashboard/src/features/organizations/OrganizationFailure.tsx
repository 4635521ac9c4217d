import { ButtonLink } from '../../ui/links.tsx';
import { LoadFailure } from '../../ui/NotFound.tsx';

interface Props {
  /** As the address names it. */
  readonly name: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In place of an organization that could not be loaded, and of what is in it. */
export function OrganizationFailure({ name, error, onRetry }: Props): React.JSX.Element {
  const back = <ButtonLink to="/people/organizations">Go to organizations</ButtonLink>;
  return <LoadFailure error={error} kind="organization" name={name} back={back} onRetry={onRetry} />;
}
