import { Command } from 'commander';

await new Command('berth').description('Remote development workspaces from the command line.').parseAsync();
