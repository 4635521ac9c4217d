import { useWorkspaces } from './activity.ts';
import { EMAIL_DOMAIN, PEOPLE, WORKSPACES } from './cast.ts';
import { SeedError, seedErrorOf } from './errors.ts';
import { seedExtras } from './extras.ts';
import type { Options } from './options.ts';
import { USAGE, readOptions } from './options.ts';
import { seedOwnTemplate } from './own-template.ts';
import { seedGroups, seedPeople, signOut } from './people.ts';
import { consoleProgress } from './progress.ts';
import type { Session } from './session.ts';
import { openSession, randomPassword } from './session.ts';
import { seedTemplates } from './templates.ts';
import { seedWorkspaces } from './workspaces.ts';

async function seed(options: Options): Promise<void> {
  const { url } = options;
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw seedErrorOf(error, { step: name, url });
    }
  };
  const progress = consoleProgress();
  const session = await step('Signing in', () => openSession(options));
  const { client } = session;
  process.stdout.write(`Filling ${url} as ${session.username}\n`);

  const password = options.usersPassword ?? randomPassword();
  progress.title('People');
  const signedIn = await step('Making a user', () => seedPeople(client, { url, password, progress }));
  progress.title('Groups');
  await step('Making a group', () => seedGroups(client, progress));
  progress.title('Templates');
  const starters = await step('Installing a starter template', () => seedTemplates(client, progress));
  const own = await step('Making a template', () => seedOwnTemplate(session, { url, progress }));
  progress.title('Workspaces');
  const made = await step('Making a workspace', () => seedWorkspaces(client, { templates: [...starters, own], signedIn, progress }));
  if (options.usesWorkspaces) await step('Using a workspace', () => useWorkspaces({ url, made, signedIn, progress }));
  progress.title('Other');
  await step('Making an application or a token', () => seedExtras(client, progress));
  await step('Signing out', () => signOut(signedIn));
  conclude({ url, session, counts: progress.counts, password: signedIn.size === 0 ? null : password });
}

interface Conclusion {
  readonly url: string;
  readonly session: Session;
  readonly counts: { readonly made: number; readonly found: number };
  /** Of the accounts that were made just now; null when there were none. */
  readonly password: string | null;
}

function conclude({ url, session, counts, password }: Conclusion): void {
  const first = WORKSPACES[0];
  const lines = [
    '',
    counts.made === 0
      ? `Everything was there: ${counts.found} things found, nothing made.`
      : `Done: ${counts.made} things made, ${counts.found} found.`,
    '',
    ...(session.madeAccount === null
      ? []
      : [`  The first account: ${session.madeAccount.email}, password ${session.madeAccount.password}`]),
    ...(password === null
      ? []
      : [`  Everybody else, such as ${PEOPLE[0]?.username}@${EMAIL_DOMAIN}: password ${password} (not shown again)`]),
    `  Workspaces       ${url}/workspaces`,
    `  One of them      ${url}/@${first?.owner}/${first?.name}`,
    `  What was done    ${url}/audit`,
    `  The API          ${url}/api/v2/docs`,
    '',
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  if (args.includes('--help')) return void process.stdout.write(USAGE);
  await seed(readOptions(args));
}

main().catch((error: unknown) => {
  const known =
    error instanceof SeedError
      ? error
      : new SeedError(error instanceof Error ? error.message : String(error), 'This is a fault of the seed.');
  process.stderr.write(`\nerror: ${known.message}\nfix:   ${known.fix}\n`);
  process.exit(1);
});
