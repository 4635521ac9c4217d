import { accessSync, constants, existsSync, readFileSync, readdirSync } from 'node:fs';
import { capture } from './child.mjs';
import { Failure } from './failure.mjs';
import { hashOfContents, hashOfTimes, readStamp, removeStamp, writeStamp } from './fingerprint.mjs';
import { withLock } from './lock.mjs';
import { at, root } from './paths.mjs';
import { step } from './progress.mjs';
import { explain } from './remedies.mjs';
import { bootstrapPackages, hasPinnedPnpm } from './toolchain.mjs';

/**
 * Brings the repository into the state that a command needs: dependencies installed as the lockfile says, the database
 * client generated and, with `builds`, the dashboard, the agent and the command line built. Does only what has changed since the last time; when nothing
 * has, that costs some milliseconds and says nothing.
 */
export async function setUp({ builds }) {
  if (pending({ builds }).length === 0) return;
  checkFolder();
  await withLock(async () => {
    const steps = pending({ builds });
    for (const [index, { title, work, stamp, value }] of steps.entries()) {
      removeStamp(stamp);
      await step({ number: index + 1, of: steps.length, title }, work);
      // Computed after the work: an install changes what later steps look at.
      writeStamp(stamp, value());
    }
  });
}

function pending({ builds }) {
  const all = [
    { title: 'Fetching the package manager', stamp: 'tools', value: toolsValue, work: fetchTools, isDone: hasPinnedPnpm },
    { title: 'Installing dependencies', stamp: 'install', value: installValue, work: install },
    {
      title: 'Making the database client',
      stamp: 'generate',
      value: generateValue,
      work: generate,
      isDone: () => existsSync(at('packages/db/src/generated/client.ts')),
    },
    ...(builds
      ? [
          {
            title: 'Building the dashboard, the agent and the command line',
            stamp: 'build',
            value: buildValue,
            work: build,
            isDone: hasBuilds,
          },
        ]
      : []),
  ];
  let isBefore = true;
  return all.filter(({ stamp, value, isDone = () => true }) => {
    // An install touches what comes after it, so that everything after it is looked at again.
    if (stamp === 'tools' && hasPinnedPnpm()) return false;
    if (isBefore && readStamp(stamp) === value() && isDone()) return false;
    if (stamp === 'install') isBefore = false;
    return true;
  });
}

const platform = `${process.platform}-${process.arch}`;

/** The manifest of each workspace package: `packages:` of pnpm-workspace.yaml holds names and `folder/*`. */
function manifests() {
  const [, list = ''] = /^packages:\n((?: {2}- .+\n)+)/m.exec(readFileSync(at('pnpm-workspace.yaml'), 'utf8')) ?? [];
  const patterns = [...list.matchAll(/- (\S+)/g)].map(([, pattern]) => pattern);
  return patterns.flatMap((pattern) => {
    if (!pattern.endsWith('/*')) return [`${pattern}/package.json`];
    const folder = pattern.slice(0, -2);
    return readdirSync(at(folder))
      .sort()
      .map((name) => `${folder}/${name}/package.json`);
  });
}

const toolsValue = () => hashOfContents(['package.json'], platform);
const installValue = () => hashOfContents(['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests()], platform);
const generateValue = () => hashOfContents(['packages/db/package.json'], hashOfTimes(['prisma/schema', 'prisma.config.ts']));
const buildValue = () =>
  hashOfTimes(
    ['apps/dashboard', 'apps/agent', 'apps/cli', 'templates', 'packages', 'turbo.json', 'tsconfig.base.json'],
    hashOfContents(['pnpm-lock.yaml']),
  );

const hasBuilds = () => ['apps/dashboard/dist/index.html', 'apps/agent/dist', 'apps/cli/dist'].every((path) => existsSync(at(path)));

async function fetchTools(note) {
  await must('npx', [...npxArgs(), 'pnpm', '--version'], { onLine: note });
}

async function install(note) {
  const args = ['install', '--frozen-lockfile', '--config.confirm-modules-purge=false', '--reporter=append-only'];
  const onLine = (line) => note(line.startsWith('Progress:') ? line.replace(/^Progress: /, '') : '');
  if (hasPinnedPnpm()) await must('pnpm', args, { onLine });
  else await must('npx', [...npxArgs(), 'pnpm', ...args], { onLine });
}

const npxArgs = () => ['-y', ...bootstrapPackages().flatMap((name) => ['-p', name]), '--'];

async function generate() {
  await must('pnpm', ['--filter', '@berth/db', 'generate']);
}

async function build() {
  await must('turbo', ['run', 'build', '--output-logs=errors-only', '--ui=stream']);
}

/** Runs a program whose success is needed; on failure everything that it said is shown, with the remedy where one is known. */
async function must(program, args, options) {
  const { code, output } = await capture(program, args, options);
  if (code === 0) return;
  const remedy = explain(output);
  throw new Failure(
    `${output.trim()}\n\n${program} ${args.join(' ')} failed (exit code ${code}).${remedy === undefined ? '' : `\n${remedy}`}`,
  );
}

function checkFolder() {
  try {
    accessSync(root, constants.W_OK);
    if (existsSync(at('node_modules'))) accessSync(at('node_modules'), constants.W_OK);
  } catch {
    throw new Failure(`This account may not write to ${root}, where the dependencies go. Cure: sudo chown -R "$(id -un)" "${root}"`);
  }
}
