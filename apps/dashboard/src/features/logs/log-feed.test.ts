import { expect, test, vi } from 'vitest';
import type { FeedHandlers } from './log-feed.ts';
import { LogFeed } from './log-feed.ts';

interface Line {
  readonly id: number;
}

/** A server that the test plays: what was asked for, and the handlers of each stream it opened. */
function scripted() {
  const opened: { after: number; handlers: FeedHandlers<Line>; isClosed: boolean }[] = [];
  const onEnded = vi.fn<() => void>();
  const feed = new LogFeed<Line>({
    onEnded,
    schedule: (flush) => flush(),
    open: (after, handlers) => {
      const stream = { after, handlers, isClosed: false };
      opened.push(stream);
      return () => {
        stream.isClosed = true;
      };
    },
  });
  const stream = (index: number) => {
    const found = opened[index];
    if (found === undefined) throw new Error(`stream ${index} was not opened`);
    return found;
  };
  return { feed, opened, stream, onEnded };
}

const ids = (feed: LogFeed<Line>): number[] => feed.getSnapshot().lines.map(({ id }) => id);

test('a feed that is looked at again goes on after its last line, without repeating any', () => {
  const { feed, stream } = scripted();
  const leave = feed.subscribe(() => undefined);
  stream(0).handlers.onLines([{ id: 1 }, { id: 2 }]);
  leave();
  expect(stream(0).isClosed).toBe(true);

  feed.subscribe(() => undefined);
  expect(stream(1).after).toBe(2);
  stream(1).handlers.onLines([{ id: 2 }, { id: 3 }]);
  expect(ids(feed)).toEqual([1, 2, 3]);
});

test('a stream that was left can no longer change what is shown', () => {
  const { feed, stream } = scripted();
  feed.subscribe(() => undefined)();
  stream(0).handlers.onLines([{ id: 1 }]);
  stream(0).handlers.onFailed(new Error('too late'));
  expect(feed.getSnapshot()).toMatchObject({ lines: [], error: null });
});

test('the end is told once, after the last lines, and nothing is opened any more', () => {
  const { feed, stream, opened, onEnded } = scripted();
  const leave = feed.subscribe(() => undefined);
  stream(0).handlers.onLines([{ id: 1 }]);
  stream(0).handlers.onEnded();
  expect(onEnded).toHaveBeenCalledOnce();
  expect(feed.getSnapshot()).toMatchObject({ lines: [{ id: 1 }], state: 'ended' });
  leave();
  feed.subscribe(() => undefined);
  expect(opened).toHaveLength(1);
});

test('two who look share one stream', () => {
  const { feed, opened } = scripted();
  feed.subscribe(() => undefined);
  feed.subscribe(() => undefined);
  expect(opened).toHaveLength(1);
});

test('a failed feed keeps its lines and can be tried again', () => {
  const { feed, stream } = scripted();
  feed.subscribe(() => undefined);
  stream(0).handlers.onLines([{ id: 4 }]);
  stream(0).handlers.onFailed(new Error('gone'));
  expect(feed.getSnapshot().state).toBe('failed');
  feed.retry();
  expect(stream(1).after).toBe(4);
  expect(ids(feed)).toEqual([4]);
});
