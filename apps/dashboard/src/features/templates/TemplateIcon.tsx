import { Avatar, ThemeIcon } from '@mantine/core';
import { createElement } from 'react';
import { initials } from '../../ui/initials.ts';
import { knownIcon } from './known-icons.ts';
import classes from './TemplateIcon.module.css';

/** The icon of a template or of a part of one, or its first letters. Says nothing that the name beside it does not. */
export function TemplateIcon({ icon, name, size = 34 }: { icon: string; name: string; size?: number }): React.JSX.Element {
  const known = knownIcon(icon);
  if (known !== undefined) {
    return (
      <ThemeIcon variant="light" radius={size < 26 ? 'sm' : 'md'} size={size} aria-hidden style={{ flexShrink: 0 }}>
        {createElement(known, { size: size * 0.62, stroke: 1.75 })}
      </ThemeIcon>
    );
  }
  return (
    <Avatar src={icon === '' ? null : icon} alt="" aria-hidden color="harbour" radius="md" size={size} imageProps={PICTURE}>
      <span className={classes['letters']} data-letters={initials(name)} />
    </Avatar>
  );
}

const PICTURE = { style: { objectFit: 'contain', padding: 3 } } as const;
