import { API_KEY_SCOPES } from '@berth/domain';
import { choice, defineCommand, duration, optional, texts } from '../../frame/declare.ts';
import { usageError } from '../../frame/errors.ts';

const NANOSECONDS_PER_MS = 1_000_000;

export const createToken = defineCommand({
  name: 'create',
  summary: 'Create a token and print it once',
  description:
    'Creates a token with which programs act as you. It is printed once and cannot be shown again. Limit it to what it needs, with a scope or with permissions such as workspace:read.',
  args: { name: optional('Its name; generated unless given') },
  options: {
    lifetime: duration('--lifetime <time>', 'How long it is valid, such as 30d; 7 days unless given'),
    scope: choice('--scope <scope>', 'What it may be used for', API_KEY_SCOPES),
    permission: texts('--permission <resource:action>', 'A permission; may be given several times; implies --scope limited'),
  },
  fields: { token_name: '<name>', permissions: '--permission' },
  examples: [
    'berth tokens create ci --lifetime 90d',
    'berth tokens create --scope read_only',
    'berth tokens create starter --permission workspace:read --permission workspace:start',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const isLimited = options.permission.length > 0;
    if (isLimited && options.scope !== undefined && options.scope !== 'limited') {
      throw usageError(`--permission requires --scope limited, not ${options.scope}.`);
    }
    const { key } = await cli.session().client.tokens.create.mutate({
      user: 'me',
      scope: isLimited ? 'limited' : (options.scope ?? 'all'),
      permissions: [...options.permission],
      ...(args.name === undefined ? {} : { token_name: args.name }),
      ...(options.lifetime === undefined ? {} : { lifetime: options.lifetime * NANOSECONDS_PER_MS }),
    });
    await cli.out.done(key, { key });
    cli.out.note('Store it safely: it is not shown again. Programs use it as BERTH_SESSION_TOKEN.');
  },
});
