/** Runs `work` at once, and what is asked for within `pauseMs` after that once more at the end of them: never lost, never more often. */
export function atMostEvery(pauseMs: number, work: () => void): () => void {
  let isPaused = false;
  let isWanted = false;
  const run = (): void => {
    isPaused = true;
    work();
    setTimeout(() => {
      isPaused = false;
      if (!isWanted) return;
      isWanted = false;
      run();
    }, pauseMs);
  };
  return () => {
    if (isPaused) isWanted = true;
    else run();
  };
}
