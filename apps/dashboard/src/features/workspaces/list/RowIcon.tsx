import { createElement } from 'react';
import { initials } from '../../../ui/initials.ts';
import { knownIcon } from '../../templates/known-icons.ts';
import { TemplateIcon } from '../../templates/TemplateIcon.tsx';
import classes from './WorkspaceList.module.css';

/** As `TemplateIcon`, in plain elements unless it is a picture of somewhere else, which may fail to load. */
export function RowIcon({ icon, name, size }: { icon: string; name: string; size: number }): React.JSX.Element {
  const known = knownIcon(icon);
  if (known === undefined && icon !== '') return <TemplateIcon icon={icon} name={name} size={size} />;
  return (
    <span
      aria-hidden
      className={classes['icon']}
      style={{ width: size, height: size }}
      data-letters={known === undefined ? initials(name) : ''}
    >
      {known !== undefined && createElement(known, { size: size * 0.62, stroke: 1.75 })}
    </span>
  );
}
