import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { CommandGroup } from './command.ts';

/** What the page that is open adds to the palette. Kept outside of React: the palette is loaded when it is first opened. */

type Read = () => CommandGroup;

const contributions = new Set<Read>();

/** The groups of the pages that are open now, the innermost first. */
export function pageGroups(): readonly CommandGroup[] {
  return [...contributions].toReversed().map((read) => read());
}

/**
 * Lets a page put commands of its own into the palette for as long as it is shown: `useCommands(() => ({ title: 'This workspace', commands }))`.
 * The function is called when the palette opens, so it costs nothing until then.
 */
export function useCommands(read: Read): void {
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const contribution: Read = () => latest.current();
    contributions.add(contribution);
    return () => {
      contributions.delete(contribution);
    };
  }, []);
}

let isOpen = false;
let opener: Element | null = null;
/** What was typed before the palette was there to take it. */
let typedAhead = '';
const listeners = new Set<() => void>();

function setOpen(next: boolean): void {
  if (next === isOpen) return;
  isOpen = next;
  typedAhead = '';
  if (isOpen) opener = document.activeElement;
  for (const tell of listeners) tell();
}

export const palette = {
  open: (): void => setOpen(true),
  /** `isDone`: something was chosen, which says itself where the focus goes. Otherwise it goes back to where it was. */
  close: ({ isDone }: { readonly isDone: boolean }): void => {
    setOpen(false);
    if (!isDone && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  },
  isOpen: (): boolean => isOpen,
  /** Takes a key that was pressed while the palette is still being loaded. */
  typeAhead: (key: string): void => {
    if (key === 'Escape') palette.close({ isDone: false });
    else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1);
    else if (key.length === 1) typedAhead += key;
  },
  typedAhead: (): string => typedAhead,
  toggle: (): void => (isOpen ? palette.close({ isDone: false }) : palette.open()),
};

export function useIsPaletteOpen(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isOpen,
  );
}
