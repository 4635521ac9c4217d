import type { Stats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { userInfo } from 'node:os';

import { attributes, packet, text, uint32, ANSWERS } from './packets.ts';
import type { OpenFolder } from './handles.ts';
import { systemPath } from './paths.ts';

const ENTRIES_MAX = 100;
const HALF_A_YEAR_MS = 183 * 24 * 3600 * 1000;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const TYPES: Readonly<Record<number, string>> = {
  0o140000: 's',
  0o120000: 'l',
  0o100000: '-',
  0o060000: 'b',
  0o040000: 'd',
  0o020000: 'c',
  0o010000: 'p',
};

/** The next entries of a folder; undefined at its end. What vanishes meanwhile is left out. */
export async function nextEntries(id: number, { folder, name }: OpenFolder): Promise<Buffer | undefined> {
  for (;;) {
    const names: string[] = [];
    while (names.length < ENTRIES_MAX) {
      const entry = await folder.read();
      if (entry === null) break;
      names.push(entry.name);
    }
    if (names.length === 0) return undefined;
    const entries = await Promise.all(
      names.map(async (each) => {
        const stats = await lstat(systemPath(`${name}/${each}`)).catch(() => undefined);
        return stats === undefined ? [] : [entryOf(each, stats)];
      }),
    );
    const found = entries.flat();
    if (found.length > 0) return packet(ANSWERS.name, uint32(id), uint32(found.length), ...found);
  }
}

function entryOf(name: string, stats: Stats): Buffer {
  return Buffer.concat([text(name), text(longName(name, stats)), attributes(stats)]);
}

/** A line as of `ls -l`, which is what clients show. */
export function longName(name: string, stats: Stats, now = Date.now()): string {
  const links = String(stats.nlink).padStart(4);
  const size = String(stats.size).padStart(8);
  return `${permissions(stats.mode)} ${links} ${ownerName(stats.uid)} ${String(stats.gid).padEnd(8)} ${size} ${when(stats.mtime, now)} ${name}`;
}

function permissions(mode: number): string {
  const bits = 'rwxrwxrwx'.split('').map((letter, index) => (mode & (0o400 >> index) ? letter : '-'));
  const special = (index: number, bit: number, letter: string): void => {
    if (mode & bit) bits[index] = bits[index] === 'x' ? letter : letter.toUpperCase();
  };
  special(2, 0o4000, 's');
  special(5, 0o2000, 's');
  special(8, 0o1000, 't');
  return `${TYPES[mode & 0o170000] ?? '?'}${bits.join('')}`;
}

function ownerName(uid: number): string {
  let name = String(uid);
  try {
    const user = userInfo();
    if (user.uid === uid) name = user.username;
  } catch {
    // A user without an entry in the user database.
  }
  return name.padEnd(8);
}

function when(time: Date, now: number): string {
  const day = `${MONTHS[time.getMonth()]} ${String(time.getDate()).padStart(2)}`;
  const two = (value: number): string => String(value).padStart(2, '0');
  const isRecent = Math.abs(now - time.getTime()) < HALF_A_YEAR_MS;
  return isRecent ? `${day} ${two(time.getHours())}:${two(time.getMinutes())}` : `${day}  ${time.getFullYear()}`;
}
