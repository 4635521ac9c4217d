import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Failure } from './failure.mjs';
import { at, manifest } from './paths.mjs';

/** pnpm, exactly as package.json pins it. */
const pnpmPackage = manifest.packageManager.split('+')[0];

const nodePackage = `node-${process.platform}-${process.arch}`;
const pinnedNode = manifest.optionalDependencies?.[nodePackage];

// Berth's sources are TypeScript that Node runs as it is: 22.18 is the first that does so without a flag.
const [major, minor] = process.versions.node.split('.').map(Number);
const isOwnNodeNewEnough = major > 22 || (major === 22 && minor >= 18);

/**
 * The npm packages that `npx` must fetch before anything is installed: pnpm, and Node itself where the machine's own is too old.
 */
export function bootstrapPackages() {
  if (isOwnNodeNewEnough) return [pnpmPackage];
  if (pinnedNode === undefined) {
    throw new Failure(
      `On ${process.platform}-${process.arch} Berth needs Node 22.18 or newer; this is Node ${process.versions.node}. Install it, for example: npx n 24`,
    );
  }
  if (isMusl()) {
    throw new Failure(
      'Berth brings programs that need glibc, which this system (Alpine?) does not have. Use a Debian-based system or image, for example node:24-slim.',
    );
  }
  return [`${nodePackage}@${pinnedNode}`, pnpmPackage];
}

/** The Node that runs Berth: the pinned one once it is installed, else this one. */
export function nodeBinary() {
  const pinned = at('node_modules', nodePackage, 'bin', 'node');
  return existsSync(pinned) ? pinned : process.execPath;
}

/** True when the pinned pnpm lies in node_modules from an earlier install, so that nothing has to be fetched for it. */
export function hasPinnedPnpm() {
  try {
    return `pnpm@${JSON.parse(readFileSync(at('node_modules', 'pnpm', 'package.json'), 'utf8')).version}` === pnpmPackage;
  } catch {
    return false;
  }
}

// What a person may have set to reach the npm registry; the rest of npm's variables is npm talking to its children.
const kept = /^npm_config_(registry|proxy|https?_proxy|https-proxy|noproxy|cafile|ca|strict_ssl|strict-ssl|userconfig|cache|store_dir)$/i;

/** The environment of everything that is started from here: the repository's tools first, nothing of npm's own. */
export function environment(extra = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name)));
  const path = [join(nodeBinary(), '..'), at('node_modules', '.bin'), process.env.PATH ?? ''];
  return { ...env, PATH: path.join(delimiter), TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1', ...extra };
}

function isMusl() {
  if (process.platform !== 'linux') return false;
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
