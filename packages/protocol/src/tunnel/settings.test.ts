import { expect, it } from 'vitest';

import { tunnelDialOptions } from './settings.ts';

it.each(['wss://berth.example.com', 'https://berth.example.com', 'ws://localhost:3000', 'ws://127.0.0.1:3000', 'ws://[::1]:3000'])(
  'the bytes to %s, which no proxy can read, are not masked',
  (url) => {
    const mask = Buffer.from('abcd');
    tunnelDialOptions(url).generateMask?.(mask);
    expect(mask).toEqual(Buffer.alloc(4));
  },
);

it.each(['ws://berth.example.com', 'http://10.0.0.1:3000', 'ws://127.0.0.1.example.com', 'ws://localhost.example.com'])(
  'the bytes to %s, which a proxy may read, are masked at random',
  (url) => {
    expect(tunnelDialOptions(url).generateMask).toBeUndefined();
  },
);
