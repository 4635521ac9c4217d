import { expect, test } from 'vitest';

import { parseSockets } from './ports.ts';

const HEADER = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (local: string, state: string, inode: number) =>
  `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0000000000000000 100 0 0 10 0\n`;

test('only what listens where the loopback reaches it is a port of the workspace', () => {
  const table =
    HEADER +
    row('0100007F:0BB8', '0A', 11) +
    row('00000000:1F90', '0A', 12) +
    row('0100007F:1388', '01', 13) +
    row('0501A8C0:1389', '0A', 14) +
    row('00000000:0007', '0A', 15);
  expect(parseSockets(table)).toEqual([
    { port: 3000, inode: '11' },
    { port: 8080, inode: '12' },
  ]);
});

test('the loopback of version 6, any address, and mapped addresses count', () => {
  const table =
    HEADER +
    row('00000000000000000000000000000000:0BB8', '0A', 21) +
    row('00000000000000000000000001000000:0BB9', '0A', 22) +
    row('0000000000000000FFFF00000100007F:0BBA', '0A', 23) +
    row('B80D01200000000000000000010000AA:0BBB', '0A', 24);
  expect(parseSockets(table).map(({ port }) => port)).toEqual([3000, 3001, 3002]);
});
