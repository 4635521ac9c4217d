import { useWindowEvent } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useRef } from 'react';
import { useNavigation } from './navigation.tsx';

const SEQUENCE_MS = 1500;

/** Whether keys pressed there are text: a field, an editor, a terminal. */
function takesText(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], .xterm') !== null)
  );
}

/** `/` to the search, `g` and a letter to a place, `n` for a new workspace, `?` for help. Silent while someone types. */
export function useShortcuts({ onHelp }: { onHelp: () => void }): void {
  const navigate = useNavigate();
  const places = useNavigation();
  const lastG = useRef(Number.NEGATIVE_INFINITY);
  useWindowEvent('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || takesText(event.target)) return;
    const isSequence = event.timeStamp - lastG.current < SEQUENCE_MS;
    lastG.current = Number.NEGATIVE_INFINITY;
    if (isSequence) {
      const place = places.find(({ key }) => key === event.key);
      if (place !== undefined) {
        event.preventDefault();
        void navigate({ to: place.to });
      }
      return;
    }
    switch (event.key) {
      case 'g':
        lastG.current = event.timeStamp;
        break;
      case '?':
        event.preventDefault();
        onHelp();
        break;
      case 'n':
        event.preventDefault();
        void navigate({ to: '/workspaces/new' });
        break;
      case '/': {
        const search = document.querySelector<HTMLInputElement>('input[type="search"]');
        if (search === null) break;
        event.preventDefault();
        search.focus();
        search.select();
        break;
      }
      default:
        break;
    }
  });
}
