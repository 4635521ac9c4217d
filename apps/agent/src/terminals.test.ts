import { text } from 'node:stream/consumers';

import { describe, expect, test } from 'vitest';

import { id } from './fake-server.ts';
import { givenAgent, readUntil } from './testing.ts';

const pty = { id: id(9), width: 80, height: 24, command: '' };

async function given() {
  const { server } = await givenAgent();
  return await server.tunnel();
}

describe('several viewers of one terminal', () => {
  test('see its end at once, all of them', async () => {
    const tunnel = await given();
    const viewers = [
      await tunnel.openPty({ ...pty, command: 'read line; echo got $line; exit 3' }),
      await tunnel.openPty(pty),
      await tunnel.openPty({ ...pty, isReadOnly: true }),
    ];
    const ends = viewers.map((viewer) => text(viewer));
    viewers[1]?.write('something\n');
    for (const shown of await Promise.all(ends)) expect(shown).toContain('got something');
    expect(viewers.map(({ exit }) => exit)).toEqual(Array.from({ length: 3 }, () => ({ exitCode: 3, signal: null })));
  });

  test('have the size of the one who was active last', async () => {
    const tunnel = await given();
    const large = await tunnel.openPty({ ...pty, width: 150, height: 50 });
    const small = await tunnel.openPty({ ...pty, width: 60, height: 20 });
    small.write('echo a-$(stty size | tr " " x)\n');
    await readUntil(small, 'a-20x60');
    large.write('echo b-$(stty size | tr " " x)\n');
    await readUntil(large, 'b-50x150');
    large.write('while :; do stty size; sleep 0.1; done\n');
    await readUntil(large, '50 150');
    small.resize({ width: 70, height: 25 });
    await readUntil(large, '25 70');
    small.destroy();
    await readUntil(large, '50 150');
  });
});

describe('a viewer who only looks on', () => {
  test('sees everything, changes nothing', async () => {
    const tunnel = await given();
    const worker = await tunnel.openPty({ ...pty, width: 100, height: 30 });
    worker.write('echo before-$((6*7))\n');
    await readUntil(worker, 'before-42');
    const onlooker = await tunnel.openPty({ ...pty, width: 40, height: 10, isReadOnly: true });
    await readUntil(onlooker, 'before-42');
    onlooker.write('echo typed-by-onlooker\n');
    onlooker.resize({ width: 20, height: 5 });
    worker.write('echo after-$(stty size | tr " " x)\n');
    const shown = await readUntil(onlooker, 'after-30x100');
    expect(shown).not.toContain('typed-by-onlooker');
    worker.write('history | grep -c onlooker; echo do""ne\n');
    expect(await readUntil(worker, 'done')).not.toContain('typed-by-onlooker');
  });

  test('is told the size of the terminal, now and whenever it changes', async () => {
    const tunnel = await given();
    const worker = await tunnel.openPty({ ...pty, width: 100, height: 30 });
    const onlooker = await tunnel.openPty({ ...pty, width: 40, height: 10, isReadOnly: true });
    await readUntil(onlooker, '\u001B[8;30;100t');
    worker.resize({ width: 120, height: 40 });
    await readUntil(onlooker, '\u001B[8;40;120t');
    worker.write('echo do""ne\n');
    expect(await readUntil(worker, 'done')).not.toContain('\u001B[8;');
  });

  test('makes no terminal', async () => {
    const tunnel = await given();
    await expect(tunnel.openPty({ ...pty, isReadOnly: true })).rejects.toMatchObject({
      code: 'rejected',
      message: 'This terminal is not open.',
    });
    const worker = await tunnel.openPty({ ...pty, command: 'true' });
    await text(worker);
    await expect(tunnel.openPty({ ...pty, isReadOnly: true })).rejects.toMatchObject({ code: 'rejected' });
  });

  test('who does not read loses the place, and holds nobody up', async () => {
    const tunnel = await given();
    const worker = await tunnel.openPty({ ...pty, command: 'read go; stty -opost; seq 1 2000000; echo over' });
    const onlooker = await tunnel.openPty({ ...pty, isReadOnly: true });
    onlooker.pause();
    worker.write('go\n');
    expect(await text(worker)).toMatch(/2000000\nover\n$/);
    expect(onlooker.exit).toBeNull();
  });
});

describe('scroll-back', () => {
  test('brings a late viewer the last mebibyte', async () => {
    const tunnel = await given();
    const first = await tunnel.openPty({ ...pty, command: 'stty -opost; seq 1 400000; read line' });
    await readUntil(first, '\n400000\n');
    const second = await tunnel.openPty(pty);
    const past = await readUntil(second, '\n400000\n');
    expect(past.length).toBeGreaterThanOrEqual(1024 * 1024 - 64 * 1024);
    expect(past.length).toBeLessThan(1.25 * 1024 * 1024);
    const lines = past.trim().split('\n').map(Number);
    expect(lines).toEqual(Array.from({ length: lines.length }, (_, i) => 400_000 - lines.length + 1 + i));
  });
});
