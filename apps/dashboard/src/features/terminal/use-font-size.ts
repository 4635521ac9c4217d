import { useState } from 'react';
import { fontSizeOf, nextFontSize } from './terminal-look.ts';

const KEY = 'berth.terminal.font-size';

/** The size of terminal text in pixels, kept in this browser. */
export function useFontSize(): { fontSize: number; change: (direction: 1 | -1) => void } {
  const [fontSize, setFontSize] = useState(() => fontSizeOf(localStorage.getItem(KEY)));
  return {
    fontSize,
    change: (direction) => {
      const next = nextFontSize(fontSize, direction);
      localStorage.setItem(KEY, String(next));
      setFontSize(next);
    },
  };
}
