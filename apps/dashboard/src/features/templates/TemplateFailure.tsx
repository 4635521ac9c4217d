import { ButtonLink } from '../../ui/links.tsx';
import { LoadFailure, NotFound } from '../../ui/NotFound.tsx';

const BACK = <ButtonLink to="/templates">Go to templates</ButtonLink>;

/** In place of a template that does not exist. */
export function NoTemplate({ name }: { name: string }): React.JSX.Element {
  return <NotFound kind="template" name={name} back={BACK} />;
}

interface Props {
  /** As the address names it. */
  readonly name: string;
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In place of a template that could not be loaded. */
export function TemplateFailure({ name, error, onRetry }: Props): React.JSX.Element {
  return <LoadFailure error={error} kind="template" name={name} back={BACK} onRetry={onRetry} />;
}
