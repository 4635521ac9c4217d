type Work = () => Promise<void>;

const open: Work[] = [];
let isEnding = false;

/** Remembers how to end something; the answer ends it now, once. */
export function endsWith(work: Work): Work {
  open.push(work);
  return async () => {
    const at = open.indexOf(work);
    if (at === -1) return;
    open.splice(at, 1);
    await work();
  };
}

/** On Ctrl-C, ends everything that still runs, last first: PostgreSQL and workspaces outlive their parents otherwise. */
export function endAllOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isEnding = true;
      void (async () => {
        for (const work of open.splice(0).toReversed()) await work().catch(() => undefined);
        process.exit(130);
      })();
    });
  }
}

/** Whether a signal ends the run: what fails from then on fails for that reason. */
export function isEndingOnSignal(): boolean {
  return isEnding;
}
