import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { hasPrograms } from '@berth/testing/programs';
import { type CodeHost, startCodeHost } from './code-host.ts';
import { signedInComputer } from './command-line.ts';
import { expect, test as base } from './fixtures.ts';
import { type GitHost, startGitHost } from './git-host.ts';
import { makeOwner } from './people.ts';
import { installStarter, settled } from './provisioning.ts';

const test = base.extend<{ accounts: CodeHost; git: GitHost }>({
  accounts: async ({}, use) => {
    const host = await startCodeHost();
    await use(host);
    await host.close();
  },
  git: async ({}, use) => {
    const host = await startGitHost({ token: 'device-token' });
    await use(host);
    await host.close();
  },
  settings: async ({ accounts, git }, use, testInfo) => {
    const file = testInfo.outputPath('berth.yaml');
    const hub = {
      id: 'hub',
      type: 'gitea',
      display_name: 'Code hub',
      client_id: 'berth',
      device_flow: true,
      device_code_url: `${accounts.url}/device`,
      token_url: `${accounts.url}/device-token`,
      validate_url: `${accounts.url}/user`,
      user_info_url: `${accounts.url}/user`,
      regex: `^${new URL(git.httpUrl).origin.replaceAll('.', String.raw`\.`)}`,
    };
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ external_auth: [hub] }));
    await use({ BERTH_CONFIG_FILE: file });
  },
});

test.skip(!(await hasPrograms('ssh', 'git')), 'ssh and git are needed');

test('git in a workspace clones and pushes with the owner’s key and with a linked account, without any set-up', async ({
  berth,
  accounts,
  git,
}) => {
  test.setTimeout(180_000);
  const { client } = await makeOwner(berth);
  const template = await installStarter(client, 'Empty shell');
  const { id } = await client.workspaces.create.mutate({ user: 'me', name: 'harbour', template_id: template });
  await settled(client, id);
  const computer = await signedInComputer(berth);
  const inside = (command: string) => computer.cli('ssh', 'harbour', command);
  const commit = 'git -c user.name=Ada -c user.email=ada@example.com commit -q --allow-empty';
  const log = async () => (await promisify(execFile)('git', ['-C', git.repository, 'log', '--format=%s', 'main'])).stdout;

  await test.step('over SSH with the owner’s key, once the host knows it', async () => {
    // Hosts that nobody has seen before are the person's own decision.
    await inside(String.raw`mkdir -p -m 700 ~/.ssh && printf 'Host *\n  StrictHostKeyChecking accept-new\n' > ~/.ssh/config`);
    const refused = await inside(`git clone -q ${git.sshUrl} garden`);
    expect(refused.code).toBe(128);
    const { public_key: key } = await client.gitSshKeys.get.query({ user: 'me' });
    expect(refused.stderr, 'the person learns which key it is').toContain(key.trim());
    git.allowKey(key);
    expect(
      await inside(`git clone -q ${git.sshUrl} garden && cd garden && ${commit} -m 'By key' && git push -q origin HEAD:main`),
    ).toMatchObject({ code: 0 });
    expect(await log()).toBe('By key\n');
  });

  await test.step('over HTTP with the token of the account that the owner has linked', async () => {
    const clone = computer.start(...program(computer, 'ssh', 'harbour', `git clone -q ${git.httpUrl} orchard && echo cloned.`));
    await expect.poll(clone.said, { timeout: 60_000 }).toContain('/external-auth/hub');
    const device = await client.externalAuth.beginDevice.query({ externalauth: 'hub' });
    accounts.enterDeviceCode();
    await client.externalAuth.completeDevice.mutate({ externalauth: 'hub', device_code: device.device_code });
    expect(await clone.ended, 'git goes on as soon as the account is linked').toMatchObject({ code: 0, stdout: 'cloned.\n' });
    expect(await inside(`cd orchard && ${commit} -m 'By token' && git push -q origin HEAD:main`)).toMatchObject({ code: 0 });
    expect(await log()).toBe('By token\nBy key\n');
  });
  await computer.dispose();
});

const program = (
  { berth: [node, script] }: { readonly berth: readonly [string, string] },
  ...args: readonly string[]
): [string, string[]] => [node, [script, ...args]];
