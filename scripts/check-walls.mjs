// Checks who imports whom: the packages' own dependencies and every import in their sources, against the table below.
// Run by `npm run check`. It reads text, so that it needs no compiler and takes a fraction of a second.
import { readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { at, root } from './launcher/paths.mjs';

/** What a package may import; `types`: with `import type` only; `paths`: only these subpaths with values; `tests`: what only its tests may. */
const walls = {
  core: {},
  domain: { may: ['core'] },
  rbac: { may: ['core'] },
  protocol: { may: ['core'] },
  db: { may: ['core'] },
  api: { may: ['core', 'domain', 'rbac', 'protocol', 'db'] },
  rest: { may: ['api', 'core'] },
  client: { types: ['api'] },
  server: { may: ['rest', 'api', 'db', 'protocol', 'core'] },
  // Its tests run against a real server in the same process.
  cli: { may: ['client', 'core', 'domain', 'protocol'], types: ['api'], tests: ['api', 'rest'] },
  agent: { may: ['protocol', 'client', 'core'] },
  provisioner: { may: ['protocol', 'client', 'domain', 'core'] },
  dashboard: {
    may: ['client', 'domain', 'core'],
    types: ['api', 'rbac'],
    paths: { api: /^\/contract\/[a-z0-9-]+$/, rbac: /^\/resources$/ },
  },
  testing: { may: ['core', 'db'] },
  e2e: { may: ['client', 'core', 'db'], types: ['api'] },
  seed: { may: ['client', 'core'], types: ['api'] },
  bench: { may: ['client', 'core', 'db', 'domain', 'protocol', 'api', 'e2e'] },
};
/** Packages that tests may import whatever their walls; nothing that ships may. */
const forTests = ['testing', 'client'];
/** core runs in browsers: only these entries may use Node. */
const nodeOnlyInCore = ['data-folder.ts', 'sealer.ts', 'secrets.ts'];
/** What a contract may import of other packages: browsers load it. */
const forContracts = ['zod', '@berth/core', '@berth/domain', '@berth/rbac/resources'];
/**
 * What opens connections to the database, and the only files that may import it with values: each session needs its settings, above all its
 * time zone, so everything else uses `openClient` and `createPool`.
 */
const opensConnections = {
  pg: ['packages/db/src/session.ts', 'packages/db/src/errors.ts'],
  '@prisma/adapter-pg': ['packages/db/src/client.ts', 'packages/db/scripts/schema-engine.ts'],
};
/** What a domain of the API keeps to itself: the others come in through its index or its contract. */
const privateToDomain = /^(router|procedures|audit)\.ts$/;

const problems = [];
const packages = findPackages();
for (const pack of packages) {
  checkManifest(pack);
  for (const folder of ['src', 'scripts']) for (const file of sourcesIn(join(pack.folder, folder))) checkFile(pack, file);
}
checkNoCycles();

if (problems.length > 0) {
  console.error(problems.join('\n'));
  console.error(`\n${problems.length} problems. The table stands in scripts/check-walls.mjs and docs/architecture.md.`);
  process.exitCode = 1;
}

function findPackages() {
  const folders = ['apps', 'packages']
    .flatMap((group) => readdirSync(at(group)).map((name) => at(group, name)))
    .concat(at('e2e'), at('seed'), at('bench'));
  return folders.map((folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const name = manifest.name.replace('@berth/', '');
    if (walls[name] === undefined) problems.push(`${manifest.name} has no row in the table of walls.`);
    return { name, folder, manifest, wall: { may: [], types: [], paths: {}, tests: [], ...walls[name] } };
  });
}

function checkManifest({ name, manifest, wall }) {
  for (const dependency of berthNames(manifest.dependencies)) {
    if (!wall.may.includes(dependency)) problems.push(`package.json of ${name}: @berth/${dependency} may not be a dependency.`);
  }
  for (const dependency of berthNames(manifest.devDependencies)) {
    if (![...wall.may, ...wall.types, ...wall.tests, ...forTests].includes(dependency)) {
      problems.push(`package.json of ${name}: @berth/${dependency} may not be a devDependency.`);
    }
  }
}

function checkFile(pack, file) {
  const isTest = /\.(test|e2e)\.tsx?$/.test(file) || basename(file).startsWith('test-') || file.includes(`${sep}testing${sep}`);
  for (const { specifier, isType } of importsOf(file)) {
    const problem = specifier.startsWith('.')
      ? relativeProblem(pack, file, specifier)
      : packageProblem(pack, file, { specifier, isType, isTest });
    if (problem !== undefined) problems.push(`${relative(root, file)}: '${specifier}' ${problem}`);
  }
  if (pack.name === 'api' && !isTest && /\bsubject\.roles\b/.test(readFileSync(file, 'utf8'))) {
    problems.push(`${relative(root, file)}: looks at the roles of the caller: ask for a permission, with can or canDo.`);
  }
}

function relativeProblem(pack, file, specifier) {
  const target = join(dirname(file), specifier);
  const inPackage = relative(pack.folder, target);
  if (inPackage.startsWith('..')) return 'leaves the package: import the other package by its name.';
  if (pack.name !== 'api') return undefined;
  const [fromDomain] = relative(join(pack.folder, 'src'), file).split(sep);
  const [toDomain, ...rest] = relative(join(pack.folder, 'src'), target).split(sep);
  const isElsewhere =
    rest.length > 0 && fromDomain !== toDomain && toDomain !== 'kernel' && fromDomain?.includes('.') === false && fromDomain !== 'testing';
  if (isElsewhere && privateToDomain.test(rest.join(sep))) return `is private to ${toDomain}: go through its index.ts.`;
  if (file.endsWith(`${sep}contract.ts`) && rest.at(-1) !== 'contract.ts' && !isContractKernel(toDomain, rest)) {
    return 'is more than a contract: a contract imports zod, core, domain and other contracts, so that browsers can load it.';
  }
  return undefined;
}

function isContractKernel(domain, rest) {
  return domain === 'kernel' && ['route.ts', 'name-field.ts', 'confirmation.ts'].includes(rest[0] ?? '');
}

function packageProblem(pack, file, { specifier, isType, isTest }) {
  if (!isType && opensConnections[specifier]?.includes(relative(root, file)) === false) {
    return 'opens connections without the session settings of Berth: use openClient or createPool of @berth/db/session.';
  }
  if (pack.name === 'core' && specifier.startsWith('node:') && !isTest && !nodeOnlyInCore.some((name) => file.endsWith(name))) {
    return 'does not exist in browsers.';
  }
  if (file.endsWith(`${sep}contract.ts`) && pack.name === 'api' && !forContracts.includes(specifier)) {
    return 'may not be imported by a contract.';
  }
  const [, name, path = ''] = /^@berth\/([a-z0-9-]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined || name === pack.name) return undefined;
  const { may, types, paths, tests } = pack.wall;
  if (may.includes(name)) return undefined;
  if (isTest && (forTests.includes(name) || tests.includes(name))) return undefined;
  if (types.includes(name) && (isType || paths[name]?.test(path))) return undefined;
  return types.includes(name) ? 'may be imported as types only.' : `stands behind a wall for ${pack.name}.`;
}

/** Imports, re-exports and dynamic imports; comments and strings that merely look like one would be seen too, and there are none. */
function importsOf(file) {
  const text = readFileSync(file, 'utf8');
  const found = [];
  for (const [, keyword, clause = '', specifier] of text.matchAll(/^\s*(import|export)\b([^'"`;]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm)) {
    if (keyword === 'export' && clause === '') continue;
    const names = /^\s*\{([^}]*)\}/.exec(clause)?.[1];
    const onlyTypes = names !== undefined && names.split(',').every((part) => part.trim() === '' || part.trim().startsWith('type '));
    found.push({ specifier, isType: /^\s*type\b/.test(clause) || onlyTypes });
  }
  for (const [, specifier] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) found.push({ specifier, isType: false });
  return found;
}

function checkNoCycles() {
  const edges = new Map(packages.map(({ name, manifest }) => [name, berthNames(manifest.dependencies)]));
  const visit = (name, path) => {
    if (path.includes(name)) {
      problems.push(`Packages depend on each other in a circle: ${[...path.slice(path.indexOf(name)), name].join(' → ')}`);
      return;
    }
    for (const next of edges.get(name) ?? []) visit(next, [...path, name]);
  };
  for (const name of edges.keys()) visit(name, []);
}

function berthNames(dependencies = {}) {
  return Object.keys(dependencies).flatMap((name) => (name.startsWith('@berth/') ? [name.slice('@berth/'.length)] : []));
}

function sourcesIn(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sourcesIn(join(folder, entry.name));
    return /\.tsx?$/.test(entry.name) ? [join(folder, entry.name)] : [];
  });
}
