import { useMemo, useRef, useSyncExternalStore } from 'react';
import type { FeedLine, FeedSnapshot, OpenFeed } from './log-feed.ts';
import { LogFeed } from './log-feed.ts';

export interface LogFeedView<Line extends FeedLine> extends FeedSnapshot<Line> {
  readonly retry: () => void;
}

/** The log that `open` opens, for as long as the component is shown; another `key` is another log. */
export function useLogFeed<Line extends FeedLine>(key: string, open: OpenFeed<Line>, onEnded?: () => void): LogFeedView<Line> {
  const latest = useRef({ open, onEnded });
  latest.current = { open, onEnded };
  const feed = useMemo(() => {
    void key;
    return new LogFeed<Line>({ open: (after, handlers) => latest.current.open(after, handlers), onEnded: () => latest.current.onEnded?.() });
  }, [key]);
  const snapshot = useSyncExternalStore(feed.subscribe, feed.getSnapshot);
  return { ...snapshot, retry: feed.retry };
}
