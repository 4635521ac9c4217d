import { homedir, hostname } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { prepareDataFolder } from '@berth/core/data-folder';
import { hostEnvironment, readEnv, settingWarnings } from './env.ts';
import { exitCodeOf } from './exit-code.ts';
import { describeError, writeLog } from './log.ts';
import { runProvisioner } from './run.ts';

const HELP = `A provisioner daemon on a host of its own: it takes build jobs from a Berth server and runs them here.

  npm run provisioner -- --url https://berth.example.com --key-file FILE [options]

  --url URL              the server (BERTH_URL)
  --key-file FILE        a file with a provisioner key of the organization (BERTH_PROVISIONER_KEY_FILE)
  --name NAME            its name in the list of daemons, one for each daemon; default: the name of this host
  --drivers LIST         only these of process, container and terraform; default: all that this host can run
  --concurrency N        jobs at a time; default: 3
  --data-dir FOLDER      homes, states and providers; default: ~/.local/state/berth-provisioner
  --drain-seconds N      how long running jobs may take after a SIGTERM; default: 60
  --help

The key can also be given as BERTH_PROVISIONER_KEY. Everything else of its environment is handed on to Terraform.
See docs/guides/provisioners.md.
`;

const FLAGS = {
  url: 'BERTH_URL',
  'key-file': 'BERTH_PROVISIONER_KEY_FILE',
  name: 'BERTH_PROVISIONER_NAME',
  drivers: 'BERTH_PROVISIONER_DRIVERS',
  concurrency: 'BERTH_PROVISIONER_CONCURRENCY',
  'data-dir': 'BERTH_PROVISIONER_DATA_DIR',
  'drain-seconds': 'BERTH_PROVISIONER_DRAIN_SECONDS',
} as const;

const text = { type: 'string' } as const;
const OPTIONS = {
  url: text,
  'key-file': text,
  name: text,
  drivers: text,
  concurrency: text,
  'data-dir': text,
  'drain-seconds': text,
  help: { type: 'boolean' },
} as const;

/** Where a person stands who types a relative path; npm itself stands in the repository. */
function fromHere(path: string, here: string): string {
  return isAbsolute(path) ? path : resolve(here, path);
}

async function main(): Promise<void> {
  const host = hostEnvironment();
  const { values } = parseArgs({ options: OPTIONS, allowPositionals: false });
  if (values.help === true) {
    process.stdout.write(HELP);
    return;
  }
  const here = host['INIT_CWD'] ?? process.cwd();
  const flags = Object.entries(FLAGS).flatMap(([flag, variable]) => {
    const value = Object.entries(values).find(([name]) => name === flag)?.[1];
    if (typeof value !== 'string') return [];
    return [[variable, flag === 'key-file' || flag === 'data-dir' ? fromHere(value, here) : value]];
  });
  // Of both kinds of key the one that was typed counts.
  const { BERTH_PROVISIONER_KEY: key, ...rest } = host;
  const env = readEnv({
    BERTH_PROVISIONER_NAME: hostname().slice(0, 64),
    BERTH_PROVISIONER_DATA_DIR: join(host['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'), 'berth-provisioner'),
    BERTH_PROVISIONER_DRAIN_SECONDS: '60',
    BERTH_AGENT_DIR: fileURLToPath(new URL('../../agent/dist', import.meta.url)),
    ...rest,
    ...(values['key-file'] === undefined ? { BERTH_PROVISIONER_KEY: key } : {}),
    ...Object.fromEntries(flags),
  });
  prepareDataFolder(env.dataDir, 0o711);
  for (const warning of settingWarnings(host)) writeLog('warn', warning);
  await runProvisioner(env, host);
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    writeLog('error', describeError(error));
    process.exit(exitCodeOf(error));
  },
);
