import { anonymousClient } from '../frame/connect.ts';
import { defineCommand } from '../frame/declare.ts';
import { VERSION } from '../frame/version.ts';

export const version = defineCommand({
  name: 'version',
  summary: 'Print the versions of this program and of the server',
  description: 'Prints the version of this program, and that of the server if it can be reached.',
  args: {},
  options: {},
  examples: ['berth version', 'berth version -o json', 'berth --version'],
  prints: true,
  async run(cli) {
    const server = await serverVersion(() => anonymousClient(cli.io, cli.url()).buildInfo.get.query({}));
    await cli.out.record({ cli: VERSION, server }, [
      ['berth', VERSION],
      ['Server', server ?? 'unknown'],
    ]);
  },
});

/** Null when there is no server, or none that answers: the program's own version is worth printing all the same. */
async function serverVersion(read: () => Promise<{ readonly version: string }>): Promise<string | null> {
  try {
    return (await read()).version;
  } catch {
    return null;
  }
}
