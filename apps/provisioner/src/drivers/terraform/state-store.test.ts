import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { StateStore } from './state-store.ts';

const base = await mkdtemp(join(tmpdir(), 'berth-states-'));
afterAll(() => rm(base, { recursive: true, force: true }));

const state = (...resources: string[]) => Buffer.from(JSON.stringify({ version: 4, resources }));
const nothing = new Uint8Array();

async function store() {
  const directory = await mkdtemp(join(base, 'store-'));
  return { directory, states: new StateStore(directory) };
}

describe('the state of a workspace', () => {
  it('is the server’s, which alone may read it here', async () => {
    const { states } = await store();
    const held = await states.hold('w', state('a'));
    expect(held).toMatchObject({ isEmpty: false, isRecovered: false });
    expect(await readFile(held.path)).toEqual(state('a'));
    expect((await stat(held.path)).mode & 0o077).toBe(0);
  });

  it('goes on from what a build left that the server never heard of', async () => {
    const { states, directory } = await store();
    const { path } = await states.hold('w', nothing);
    await writeFile(path, state('made'));
    const again = await new StateStore(directory).hold('w', nothing);
    expect(again).toMatchObject({ isEmpty: false, isRecovered: true });
    expect(await readFile(again.path)).toEqual(state('made'));
  });

  it('is the server’s again as soon as it has another one', async () => {
    const { states } = await store();
    const { path } = await states.hold('w', state('a'));
    await writeFile(path, state('a', 'b'));
    expect(await states.hold('w', state('a', 'b'))).toMatchObject({ isRecovered: false });
    expect(await states.hold('w', state('pushed'))).toMatchObject({ isRecovered: false });
    expect(await readFile(path)).toEqual(state('pushed'));
    expect(await states.hold('w', state('pushed'))).toMatchObject({ isRecovered: false });
  });

  it('is empty when nothing is left of anything, and is then nothing to the server', async () => {
    const { states } = await store();
    expect(await states.hold('w', nothing)).toMatchObject({ isEmpty: true });
    expect(await states.read('w')).toEqual(nothing);
    const { path } = await states.hold('w', state('a'));
    await writeFile(path, state());
    expect(await states.read('w')).toEqual(nothing);
    expect(await states.hold('w', state('a'))).toMatchObject({ isEmpty: true, isRecovered: true });
  });

  it('that cannot be read is something, so that nobody forgets it', async () => {
    const { states } = await store();
    expect(await states.hold('w', Buffer.from('not json'))).toMatchObject({ isEmpty: false });
    expect(Buffer.from(await states.read('w')).toString()).toBe('not json');
  });

  it('is forgotten here when nobody asked for it in a month', async () => {
    const { states, directory } = await store();
    await states.hold('old', state('a'));
    await states.hold('new', state('a'));
    const long = new Date(Date.now() - 40 * 86_400_000);
    await utimes(join(directory, 'old'), long, long);
    await states.tidy(new Date());
    expect(await states.read('old')).toEqual(nothing);
    expect(await states.read('new')).not.toEqual(nothing);
  });
});
