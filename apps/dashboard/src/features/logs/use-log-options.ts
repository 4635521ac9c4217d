import { useState } from 'react';

const KEY = 'berth.logs.options';

/** How a person likes logs, kept in this browser. */
export interface LogOptions {
  readonly hasTimes: boolean;
  readonly isWrapped: boolean;
}

/** The options, and what changes some of them. */
export function useLogOptions(): [options: LogOptions, change: (part: Partial<LogOptions>) => void] {
  const [options, setOptions] = useState(() => optionsOf(localStorage.getItem(KEY)));
  return [
    options,
    (part) => {
      const next = { ...options, ...part };
      localStorage.setItem(KEY, JSON.stringify(next));
      setOptions(next);
    },
  ];
}

function optionsOf(stored: string | null): LogOptions {
  const text = stored ?? '';
  return { hasTimes: text.includes('"hasTimes":true'), isWrapped: !text.includes('"isWrapped":false') };
}
