import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { palette } from '../features/commands/registry.ts';
import classes from './PaletteButton.module.css';
import { preparePalette } from './PaletteHost.tsx';
import { MODIFIER } from './use-shortcuts.ts';

const LABEL = 'Search or do…';

/** Opens the palette; says with which keys it opens too, where there is room. */
export function PaletteButton(): React.JSX.Element {
  const shared = {
    'aria-keyshortcuts': MODIFIER === 'Ctrl' ? 'Control+K' : 'Meta+K',
    'aria-haspopup': 'dialog',
    onClick: palette.open,
    onPointerEnter: preparePalette,
    onFocus: preparePalette,
  } as const;
  return (
    <>
      <UnstyledButton className={classes['wide']} visibleFrom="lg" {...shared}>
        <IconSearch size={16} aria-hidden />
        <span className={classes['text']}>{LABEL}</span>
        <Kbd size="xs">{MODIFIER} K</Kbd>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size={34} hiddenFrom="lg" aria-label={LABEL} {...shared}>
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}
