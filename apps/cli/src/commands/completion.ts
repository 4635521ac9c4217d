import { defineCommand, required } from '../frame/declare.ts';
import { usageError } from '../frame/errors.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../completion/scripts.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print what makes a shell complete commands, options and names',
  description:
    'Prints a script for your shell, which completes commands, options, and the names of workspaces, templates, organizations and groups. Put the line of your shell into its start-up file.',
  args: { shell: required('bash, zsh or fish', { complete: SHELLS }) },
  options: {},
  examples: [
    'eval "$(berth completion bash)"    # in ~/.bashrc',
    'eval "$(berth completion zsh)"     # in ~/.zshrc, after compinit',
    'berth completion fish | source     # in ~/.config/fish/config.fish',
  ],
  prints: false,
  isLocal: true,
  async run(cli, { args }) {
    const shell = SHELLS.find((known) => known === args.shell);
    if (shell === undefined) throw usageError(`There is no completion for "${args.shell}".`, { next: 'Give bash, zsh or fish.' });
    cli.out.line(COMPLETION_SCRIPTS[shell].trimEnd());
  },
});
