import { nameProblem } from '@berth/domain';
import type { Cli } from '../../frame/cli.ts';
import { choice, defineCommand, flag, text, texts } from '../../frame/declare.ts';
import { usageError } from '../../frame/errors.ts';
import { readSecret } from '../../frame/read-secret.ts';

/** Twice, since nobody sees what they type. */
async function newPassword(cli: Cli, username: string): Promise<string> {
  const flagName = '--password-stdin';
  const password = await cli.ask.secret({ message: `Password of ${username}`, flag: flagName });
  const again = await cli.ask.secret({ message: 'Repeat the password', flag: flagName });
  if (password !== again) throw usageError('The passwords do not match. Nothing was changed.');
  return password;
}

export const createUser = defineCommand({
  name: 'create',
  summary: 'Create a user',
  description: 'Creates a user. A user who signs in with a password gets it here, typed twice or read from standard input.',
  args: {},
  options: {
    username: text('--username <name>', 'The user name'),
    email: text('--email <address>', 'The e-mail address'),
    name: text('--name <name>', 'The full name'),
    loginType: choice('--login-type <type>', 'How the user signs in; password unless given', ['password', 'oidc', 'codehost', 'none']),
    passwordStdin: flag('--password-stdin', 'Read the password from standard input'),
    organization: texts('--organization <name>', 'An organization to join; the default one unless given; may be given several times', {
      complete: 'organization',
    }),
  },
  fields: { organization_ids: '--organization', password: '--password-stdin' },
  examples: [
    'berth users create --username ada --email ada@example.com --password-stdin < password.txt',
    'berth users create --username ada --email ada@example.com --login-type oidc --organization crew',
  ],
  prints: true,
  async run(cli, { options }) {
    const { client } = cli.session();
    const username =
      options.username ??
      (await cli.ask.text({ message: 'User name', flag: '--username <name>', validate: (answer) => nameProblem('name', answer) }));
    const email =
      options.email ??
      (await cli.ask.text({ message: 'E-mail', flag: '--email <address>', validate: (answer) => nameProblem('email', answer) }));
    const loginType = options.loginType ?? 'password';
    const password =
      loginType !== 'password' ? '' : options.passwordStdin ? await readSecret(cli.io, 'password') : await newPassword(cli, username);
    const organizations = await Promise.all(
      (options.organization.length === 0 ? ['default'] : options.organization).map((organization) =>
        client.organizations.get.query({ organization }),
      ),
    );
    const user = await client.users.create.mutate({
      username,
      email,
      name: options.name ?? '',
      login_type: loginType,
      password,
      organization_ids: organizations.map(({ id }) => id),
    });
    await cli.out.done(`Created the user ${user.username}.`, user);
  },
});
