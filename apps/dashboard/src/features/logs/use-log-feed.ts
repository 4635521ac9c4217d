import { useState, useSyncExternalStore } from 'react';
import type { FeedLine, FeedOptions, FeedSnapshot } from './log-feed.ts';
import { LogFeed } from './log-feed.ts';
import type { ShownLine } from './log-lines.ts';

export interface LogFeedView<Line extends FeedLine> extends FeedSnapshot<Line> {
  readonly retry: () => void;
}

/** A log with its lines as they are shown. */
export type ShownFeed = LogFeedView<ShownLine>;

/** The log that `open` opens, for as long as the component is shown. Another log needs another component: give it a `key`. */
export function useLogFeed<Line extends FeedLine>(options: Pick<FeedOptions<Line>, 'open' | 'onEnded'>): LogFeedView<Line> {
  const [feed] = useState(() => new LogFeed<Line>(options));
  const snapshot = useSyncExternalStore(feed.subscribe, feed.getSnapshot);
  return { ...snapshot, retry: feed.retry };
}
