import { expect, test } from 'vitest';
import { type Bus, type Channel, openBus } from './bus.ts';
import { createTestDatabase } from './testing/index.ts';

interface News {
  readonly id: string;
}

const channel = (name: string): Channel<News> => ({
  name,
  payload: {
    parse(value) {
      if (typeof value !== 'object' || value === null || !('id' in value) || typeof value.id !== 'string') throw new Error('not news');
      return { id: value.id };
    },
  },
});

const { prisma, pool, url } = await createTestDatabase();

const any = (): boolean => true;

test('news arrives at every subscriber of its channel and at no other', async () => {
  await using buses = await openBuses();
  const { here, there } = buses;
  const other: News[] = [];
  there.subscribe(channel('b'), (news) => other.push(news));
  const waiting = Promise.all([here, there].map((bus) => bus.waitFor(channel('a'), any, { timeoutMs: 5000 })));
  await here.publish(prisma, channel('a'), { id: '1' });
  expect(await waiting).toEqual([{ id: '1' }, { id: '1' }]);
  expect(other).toEqual([]);
});

test('news of a transaction arrives after its commit, and never when it is undone', async () => {
  await using buses = await openBuses();
  const bus = buses.here;
  const heard: string[] = [];
  bus.subscribe(channel('c'), (news) => heard.push(news.id));
  const undone = prisma.$transaction(async (tx) => {
    await bus.publish(tx, channel('c'), { id: 'undone' });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  const last = bus.waitFor(channel('c'), (news) => news.id === 'kept', { timeoutMs: 5000 });
  await prisma.$transaction(async (tx) => {
    await bus.publish(tx, channel('c'), { id: 'kept' });
    expect(heard).toEqual([]);
  });
  await last;
  expect(heard).toEqual(['kept']);
});

test('many pieces of news arrive in their order, however many they are, and none is fine', async () => {
  await using buses = await openBuses();
  const { here, there } = buses;
  const heard: string[] = [];
  there.subscribe(channel('many'), (news) => heard.push(news.id));
  const ids = Array.from({ length: 500 }, (_, index) => String(index));
  const last = there.waitFor(channel('many'), (news) => news.id === '499', { timeoutMs: 5000 });
  await here.publishAll(prisma, channel('many'), []);
  await here.publishAll(
    prisma,
    channel('many'),
    ids.map((id) => ({ id })),
  );
  await last;
  expect(heard).toEqual(ids);
});

test('a bus whose connection is cut says so, comes back, tells it and hears news again', async () => {
  await using buses = await openBuses();
  const bus = buses.here;
  const isBack = new Promise<void>((resolve) => {
    bus.onReconnect(resolve);
  });
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'berth news' AND datname = current_database()`,
  );
  await isBack;
  expect(bus.connected).toBe(true);
  const waiting = bus.waitFor(channel('d'), any, { timeoutMs: 5000 });
  await bus.publish(prisma, channel('d'), { id: 'after' });
  expect(await waiting).toEqual({ id: 'after' });
});

test('a handler that throws and news of a wrong shape do not keep news from the others', async () => {
  await using buses = await openBuses();
  const bus = buses.here;
  bus.subscribe(channel('e'), () => {
    throw new Error('broken handler');
  });
  const waiting = bus.waitFor(channel('e'), any, { timeoutMs: 5000 });
  await pool.query(`SELECT pg_notify('berth_news', 'nonsense'), pg_notify('berth_news', '["e", 7]')`);
  await bus.publish(prisma, channel('e'), { id: 'fine' });
  expect(await waiting).toEqual({ id: 'fine' });
});

test('waiting ends without news when its time is over or its signal is aborted', async () => {
  await using buses = await openBuses();
  const bus = buses.here;
  expect(await bus.waitFor(channel('f'), any, { timeoutMs: 1 })).toBeUndefined();
  expect(await bus.waitFor(channel('f'), any, { timeoutMs: 60_000, signal: AbortSignal.abort() })).toBeUndefined();
});

test('news that PostgreSQL would refuse for its size is refused with its size', async () => {
  await using buses = await openBuses();
  await expect(buses.here.publish(prisma, channel('g'), { id: 'x'.repeat(8000) })).rejects.toThrow(/8\d{3} bytes/);
});

async function openBuses(): Promise<{ here: Bus; there: Bus; [Symbol.asyncDispose](): Promise<void> }> {
  const [here, there] = await Promise.all([openBus({ url }), openBus({ url })]);
  return { here, there, [Symbol.asyncDispose]: async () => void (await Promise.all([here.close(), there.close()])) };
}
