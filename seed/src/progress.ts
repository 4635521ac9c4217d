/** Tells a person what was made and what was there. */
export interface Progress {
  made(what: string): void;
  found(what: string): void;
  /** Begins a group of lines. */
  title(text: string): void;
}

export function consoleProgress(): Progress & { readonly counts: { made: number; found: number } } {
  const counts = { made: 0, found: 0 };
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  return {
    counts,
    title: (text) => say(`\n${text}`),
    made: (what) => {
      counts.made += 1;
      say(`  + ${what}`);
    },
    found: (what) => {
      counts.found += 1;
      say(`  = ${what} (was there)`);
    },
  };
}
