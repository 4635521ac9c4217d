import { commands } from './commands.mjs';
import { Failure } from './failure.mjs';
import { setUp } from './set-up.mjs';

/** Runs one command of the repository: sets up what it needs, then hands over to it. */
export async function main([name, ...args]) {
  const command = commands[name];
  if (command === undefined) {
    console.error(`Unknown command ${name ?? ''}. There are: ${Object.keys(commands).join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  try {
    await setUp({ builds: command.builds });
    process.exitCode = await command.run(args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`\n${error.message}`);
    process.exitCode = 1;
  }
}
