import { SECTIONS } from '../commands/catalog.ts';
import type { Group, Leaf } from '../frame/declare.ts';
import { EXIT, EXIT_MEANINGS } from '../frame/exit-codes.ts';
import { NODE_MIN } from '../supported-node.ts';

const introduction = (): string => `# The command line

<!-- Written by apps/cli/src/docs.ts from the program itself: change a command there and write this file again. -->

\`berth\` does from a terminal what the dashboard does in a browser. It is one npm package without dependencies, for Node ${NODE_MIN} and newer.

## Getting it

From a checkout of this repository:

\`\`\`sh
pnpm --filter @berth/cli build                     # makes apps/cli/dist; npm start does it, too
npm install --global ./apps/cli/dist/berth.tgz     # puts berth on your PATH
npx ./apps/cli/dist --help                         # or runs it without installing
npm run cli -- list                                # or runs it from the sources
\`\`\`

\`berth.tgz\` is all that another machine needs. Install the file, not the folder: npm only links a folder, and the command stops working
when the checkout moves.

## Signing in

\`berth login https://berth.example.com\` opens a page that shows a token, and asks for it. The session is stored in
\`~/.config/berth/sessions.json\` (\`XDG_CONFIG_HOME\` and \`BERTH_CONFIG_DIR\` move it), which only you may read, with one token for each
server. A token is sent only to its own server, and never along with a redirect.

${variables()}
## Workspaces and agents

Workspaces are written as \`[owner/]name\`; without an owner, the workspace is yours. Ids work, too. Commands that connect to a workspace
take \`[owner/]name[.agent]\`; the agent is optional where there is only one.

## For scripts

- Data goes to standard output; progress, notes, questions and errors go to standard error.
- \`-o json\` and \`-o yaml\` print what the API returns. Tables are for people: on a narrow terminal long cells are cut and the least
  important columns are omitted, in a pipe they are complete.
- Commands ask questions only on a terminal. Without one, a command ends and names the missing option. \`--yes\` confirms what cannot be
  undone.
- Lists print up to \`--limit\` rows, and say on standard error when there are more.

## Completion

\`\`\`sh
eval "$(berth completion bash)"    # in ~/.bashrc
eval "$(berth completion zsh)"     # in ~/.zshrc, after compinit
berth completion fish | source     # in ~/.config/fish/config.fish
\`\`\`

Names of workspaces, templates, organizations and groups come from the server, unless it takes longer than 1.5 seconds.
`;

/** docs/cli.md: everything that the program says about itself. */
export async function cliDocument(): Promise<string> {
  const parts = [introduction(), '## Exit codes\n', exitCodes()];
  for (const { title, entries } of SECTIONS) {
    parts.push(`## ${title}\n`);
    for (const entry of entries) {
      // One after the other: the order is that of the help.
      parts.push(...describe(await entry.load(), ['berth']));
    }
  }
  return `${parts.join('\n').trimEnd()}\n`;
}

function variables(): string {
  return table(
    ['Variable', 'Meaning'],
    [
      ['`BERTH_URL`', 'The server; that of the last login unless set. `--url` takes precedence.'],
      ['`BERTH_SESSION_TOKEN`', 'A session token, for scripts. `--token` takes precedence.'],
      ['`BERTH_CONFIG_DIR`', 'The folder for the sessions of `berth login`.'],
      ['`BERTH_DEBUG`', 'If not empty, errors include a stack trace.'],
      ['`NO_COLOR`', 'If not empty, no bold text and no spinner.'],
      ['`NODE_EXTRA_CA_CERTS`', 'A file with certificates of additional authorities to trust.'],
    ],
  );
}

function exitCodes(): string {
  const codes = new Map(Object.entries(EXIT));
  return (
    table(
      ['Code', 'When'],
      Object.entries(EXIT_MEANINGS).map(([name, meaning]) => [String(codes.get(name)), meaning]),
    ) + SSH_REMARK
  );
}

const SSH_REMARK =
  '\n`berth ssh` exits with the exit code of the command that it ran in the workspace, and with 255 when the connection was lost.\n';

function describe(declared: Leaf | Group, path: readonly string[]): string[] {
  const called = [...path, declared.name];
  if (declared.kind === 'group') {
    return [`### ${called.join(' ')}\n`, `${declared.summary}.\n`, ...declared.commands.flatMap((child) => describe(child, called))];
  }
  const args = Object.entries(declared.args).map(([name, { arity, description }]) => {
    const form = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return [arity === 'required' ? `<${form}>` : arity === 'optional' ? `[${form}]` : `[${form}...]`, description] as const;
  });
  const options = [
    ...Object.values(declared.options).map(({ flags, description }) => [flags, description] as const),
    ...(declared.prints ? [['-o, --output <format>', 'Output format: `table`, `json` or `yaml`'] as const] : []),
  ];
  const heading = '#'.repeat(path.length + 2);
  const aliases = declared.aliases === undefined ? '' : ` (also \`${declared.aliases.join('`, `')}\`)`;
  return [
    `${heading} ${called.join(' ')}\n`,
    `${declared.description ?? `${declared.summary}.`}${aliases}\n`,
    `\`\`\`sh\n${[called.join(' '), ...args.map(([form]) => form), ...(options.length > 0 ? ['[options]'] : [])].join(' ')}\n\`\`\`\n`,
    ...(args.length + options.length === 0
      ? []
      : [
          table(
            ['', ''],
            [...args, ...options].map(([form, about]) => [`\`${form}\``, about]),
          ),
        ]),
    `\`\`\`sh\n${declared.examples.join('\n')}\n\`\`\`\n`,
  ];
}

/** A table whose columns stand under each other in the source, too. */
function table(titles: readonly [string, string], rows: readonly (readonly string[])[]): string {
  const cells = [titles, ...rows].map((row) => row.map((cell) => cell.replaceAll('|', '\\|')));
  const widths = [0, 1].map((column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...body.map(line), ''].join('\n');
}
