import { defineCommand, required } from '../frame/declare.ts';
import { usageError } from '../frame/errors.ts';
import { COMPLETION_SCRIPTS, SHELLS } from '../completion/scripts.ts';

export const completion = defineCommand({
  name: 'completion',
  summary: 'Print a shell completion script',
  description:
    'Prints a script for your shell that completes commands, options, and the names of workspaces, templates, organizations and groups. Add the line for your shell to its startup file.',
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
    if (shell === undefined) throw usageError(`Unknown shell "${args.shell}".`, { next: 'Use bash, zsh or fish.' });
    cli.out.line(COMPLETION_SCRIPTS[shell].trimEnd());
  },
});
