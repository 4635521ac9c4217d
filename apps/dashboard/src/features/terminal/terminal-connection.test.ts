import { expect, test } from 'vitest';
import { TerminalConnection } from './terminal-connection.ts';

/** The browser's WebSocket, played by the test. */
class FakeSocket extends EventTarget {
  static made: FakeSocket[] = [];
  readyState = 0;
  binaryType = '';
  readonly sent: unknown[] = [];
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    FakeSocket.made.push(this);
  }

  send(bytes: Uint8Array): void {
    this.sent.push(JSON.parse(new TextDecoder().decode(bytes)));
  }

  close(): void {
    this.readyState = 3;
  }

  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }

  receive(text: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: new TextEncoder().encode(text).buffer }));
  }

  drop(code: number, reason = ''): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}

function connect() {
  FakeSocket.made = [];
  const dials: (() => void)[] = [];
  const seen = { states: [] as string[], reason: '', output: '', attached: 0 };
  const connection = new TerminalConnection({
    url: ({ width, height }) => `ws://berth/pty?width=${width}&height=${height}`,
    size: { width: 80, height: 24 },
    WebSocket: FakeSocket as unknown as typeof WebSocket,
    later: (run) => {
      dials.push(run);
      return () => dials.splice(dials.indexOf(run), 1);
    },
    onState: (state, reason) => {
      seen.states.push(state);
      seen.reason = reason;
    },
    onAttach: () => {
      seen.attached += 1;
    },
    onOutput: (bytes) => {
      seen.output += new TextDecoder().decode(bytes);
    },
  });
  const socket = (): FakeSocket => {
    const last = FakeSocket.made.at(-1);
    if (last === undefined) throw new Error('nothing was dialled');
    return last;
  };
  return { connection, socket, seen, dials };
}

test('keys go out and output comes in', () => {
  const { connection, socket, seen } = connect();
  socket().open();
  connection.write('ls\r');
  socket().receive('file.txt');
  expect(socket().sent).toContainEqual({ data: 'ls\r' });
  expect(seen.output).toBe('file.txt');
  expect(seen.states).toEqual(['connecting', 'open']);
});

test('a broken connection is dialled again with the size of now, and the screen is made new', () => {
  const { connection, socket, seen, dials } = connect();
  socket().open();
  connection.resize({ width: 120, height: 40 });
  socket().drop(1006);
  expect(seen.states.at(-1)).toBe('reconnecting');
  dials.shift()?.();
  expect(socket().url).toContain('width=120&height=40');
  socket().open();
  expect(seen.attached).toBe(2);
  expect(seen.states.at(-1)).toBe('open');
});

test('a shell that has ended is not dialled again, and says how', () => {
  const { socket, seen, dials } = connect();
  socket().open();
  socket().drop(1000, '{"message":"The shell exited with code 3.","exit_code":3,"signal":null}');
  expect(seen.states.at(-1)).toBe('ended');
  expect(seen.reason).toBe('The shell exited with code 3.');
  expect(dials).toEqual([]);
});

test('a connection that was closed stays closed', () => {
  const { connection, socket, dials } = connect();
  const first = socket();
  connection.close();
  first.drop(1006);
  connection.retry();
  expect(dials).toEqual([]);
  expect(FakeSocket.made).toHaveLength(1);
});

test('trying at once takes the place of the try that was planned', () => {
  const { connection, socket, dials } = connect();
  socket().drop(1006);
  connection.retry();
  expect(dials).toEqual([]);
  expect(FakeSocket.made).toHaveLength(2);
});

test('who is refused is told why, and not dialled for again', () => {
  const { socket, seen, dials } = connect();
  socket().open();
  socket().drop(1008, 'The share has ended.');
  expect(seen.states.at(-1)).toBe('refused');
  expect(seen.reason).toBe('The share has ended.');
  expect(dials).toEqual([]);
});
