import { Breadcrumbs } from '@mantine/core';
import { Link } from '@tanstack/react-router';

interface Props {
  readonly organization: string;
  readonly name: string;
  readonly title: string;
  /** On pages of a version: the way back to all of them. */
  readonly isVersion?: boolean;
}

/** The way from a page below a template back up. */
export function TemplateCrumbs({ organization, name, title, isVersion = false }: Props): React.JSX.Element {
  const params = { organization, name };
  return (
    <Breadcrumbs separator="/">
      <Link to="/templates" className="quiet-link">
        Templates
      </Link>
      <Link to="/templates/$organization/$name" params={params} className="quiet-link">
        {title}
      </Link>
      {isVersion && (
        <Link to="/templates/$organization/$name" params={params} search={{ tab: 'versions' }} className="quiet-link">
          Versions
        </Link>
      )}
    </Breadcrumbs>
  );
}
