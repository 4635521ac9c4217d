const remedies = [
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|ERR_PNPM_META_FETCH_FAIL/,
    'The npm registry cannot be reached. Look at `npm ping`; behind a proxy set HTTPS_PROXY or `npm config set proxy http://host:port`.',
  ],
  [
    /CERT|self.signed certificate|unable to get local issuer/i,
    'The TLS certificate of the npm registry is not trusted here. Cure: export NODE_EXTRA_CA_CERTS=/path/to/ca.pem',
  ],
  [/ENOSPC/, 'The disk is full. About 2 GB are needed for the dependencies: look at `df -h .`'],
  [/EACCES|EPERM/, 'Some files belong to another account. Cure: sudo chown -R "$(id -un)" . ~/.npm ~/.local/share/pnpm'],
  [/EMFILE|ENFILE/, 'Too many open files. Cure: ulimit -n 4096'],
  [
    /ERR_PNPM_OUTDATED_LOCKFILE/,
    'A package.json was changed without the lockfile. Cure: node_modules/.bin/pnpm install, and commit pnpm-lock.yaml',
  ],
  [/JavaScript heap out of memory|SIGKILL|exit code 137/, 'Not enough memory: about 2 GB are needed to build.'],
  [
    /npx: not found|spawn npx ENOENT/,
    'npm is missing. Install it with Node from https://nodejs.org, or on Debian: sudo apt-get install npm',
  ],
];

/** A sentence with the command that cures a failure, recognised by what the program said. */
export function explain(output) {
  return remedies.find(([pattern]) => pattern.test(output))?.[1];
}
