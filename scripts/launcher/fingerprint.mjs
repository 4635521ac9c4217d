import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, root, stateDir } from './paths.mjs';

const skipped = new Set(['node_modules', 'dist', 'generated', '.turbo', '.git']);

/** A hash over the text of files: for what decides an install. */
export function hashOfContents(paths, salt = '') {
  const hash = createHash('sha256').update(salt);
  for (const path of paths) hash.update(path).update(existsSync(at(path)) ? readFileSync(at(path)) : '-');
  return hash.digest('hex');
}

/** A hash over names, sizes and times of files and folders: a few milliseconds, for what decides a build. */
export function hashOfTimes(paths, salt = '') {
  const hash = createHash('sha256').update(salt);
  const visit = (path) => {
    const stats = statSync(join(root, path), { throwIfNoEntry: false });
    if (stats === undefined) return;
    if (!stats.isDirectory()) {
      hash.update(`${path} ${stats.size} ${stats.mtimeMs}\n`);
      return;
    }
    for (const name of readdirSync(join(root, path)).sort()) if (!skipped.has(name)) visit(join(path, name));
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}

export function readStamp(name) {
  try {
    return readFileSync(join(stateDir, name), 'utf8');
  } catch {
    return '';
  }
}

export function writeStamp(name, value) {
  mkdirSync(stateDir, { recursive: true });
  writeFileSync(join(stateDir, name), value);
}

export function removeStamp(name) {
  rmSync(join(stateDir, name), { force: true });
}
