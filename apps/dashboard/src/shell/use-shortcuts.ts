import { useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useDevicePreferences } from '../ui/device-preferences.ts';
import { palette } from '../features/commands/registry.ts';
import { useNavigation } from './navigation.tsx';
import { hasCommandKey, plainAction } from './shortcuts.ts';

const SEQUENCE_MS = 1500;
const isApple = hasCommandKey(navigator.platform);

/** The name of the key that is held for commands on this keyboard. */
export const MODIFIER = isApple ? '⌘' : 'Ctrl';

/** Whether keys pressed there are text: a field, an editor, a terminal. */
export function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], .xterm') !== null)
  );
}

/** Whether a dialog is open, whose keys are its own. */
function isCovered(): boolean {
  return document.querySelector('[role="dialog"][aria-modal="true"]') !== null;
}

/** Obeys the table of shortcuts: the palette from everywhere but a terminal, plain keys while nobody types. */
export function useShortcuts({ onHelp, isHelpOpen }: { onHelp: () => void; isHelpOpen: boolean }): void {
  const navigate = useNavigate();
  const places = useNavigation();
  const { plainKeys } = useDevicePreferences();
  const lastG = useRef(Number.NEGATIVE_INFINITY);
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.altKey) return;
    if (
      (isApple ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
      !event.shiftKey &&
      event.key.toLowerCase() === 'k'
    ) {
      // In a terminal it is the shell's: it deletes to the end of the line.
      if (event.target instanceof Element && event.target.closest('.xterm') !== null) return;
      event.preventDefault();
      palette.toggle();
      return;
    }
    if (palette.isOpen()) {
      // Until it is loaded, what is typed would go to the page below.
      if (isCovered() || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      palette.typeAhead(event.key);
      return;
    }
    if (!plainKeys || event.ctrlKey || event.metaKey || takesText(event.target)) return;
    const action = plainAction(event.key, { isSequence: event.timeStamp - lastG.current < SEQUENCE_MS });
    lastG.current = Number.NEGATIVE_INFINITY;
    if (action === null || (isCovered() && !(action.kind === 'help' && isHelpOpen))) return;
    switch (action.kind) {
      case 'sequence':
        lastG.current = event.timeStamp;
        break;
      case 'place': {
        const place = places.find(({ key }) => key === action.key);
        if (place === undefined) break;
        event.preventDefault();
        void navigate({ to: place.to });
        break;
      }
      case 'help':
        event.preventDefault();
        onHelp();
        break;
      case 'new':
        event.preventDefault();
        void navigate({ to: '/workspaces/new' });
        break;
      case 'search': {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (search === null) break;
        event.preventDefault();
        search.focus();
        search.select();
        break;
      }
    }
  });
}
