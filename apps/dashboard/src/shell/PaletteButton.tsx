import { ActionIcon, Kbd, UnstyledButton } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { palette } from '../features/commands/registry.ts';
import classes from './PaletteButton.module.css';
import { preparePalette } from './PaletteHost.tsx';
import { MODIFIER } from './use-shortcuts.ts';

const LABEL = 'Search and commands';

/** Opens the palette; says with which keys it opens too, where there is room. */
export function PaletteButton(): React.JSX.Element {
  const shared = {
    'aria-label': LABEL,
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
        <span className={classes['text']}>Search or do…</span>
        <Kbd size="xs">{MODIFIER} K</Kbd>
      </UnstyledButton>
      <ActionIcon variant="subtle" color="gray" size={34} hiddenFrom="lg" {...shared}>
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}
