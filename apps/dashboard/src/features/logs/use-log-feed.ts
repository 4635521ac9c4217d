import { useState, useSyncExternalStore } from 'react';
import type { FeedLine, FeedOptions, FeedSnapshot } from './log-feed.ts';
import { LogFeed } from './log-feed.ts';

export interface LogFeedView<Line extends FeedLine> extends FeedSnapshot<Line> {
  readonly retry: () => void;
}

/** The log that `open` opens, for as long as the component is shown. Another log needs another component: give it a `key`. */
export function useLogFeed<Line extends FeedLine>(options: Pick<FeedOptions<Line>, 'open' | 'onEnded'>): LogFeedView<Line> {
  const [feed] = useState(() => new LogFeed<Line>(options));
  const snapshot = useSyncExternalStore(feed.subscribe, feed.getSnapshot);
  return { ...snapshot, retry: feed.retry };
}
