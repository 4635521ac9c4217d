import { afterEach, describe, expect, it, vi } from 'vitest';
import { UsageError, readArguments } from './arguments.ts';

const command = { help: 'Usage: npm run thing -- [NAME] [--zone ZONE] [--apply]\n\nDoes it.\n', positionals: 1 };
const options = { zone: { type: 'string' }, apply: { type: 'boolean' } } as const;
const read = (...args: string[]) => readArguments({ ...command, options }, args);

afterEach(() => void vi.restoreAllMocks());

describe('the arguments of a command', () => {
  it('are its options and its other arguments', () => {
    expect(read('name', '--zone', 'Asia/Tokyo', '--apply')).toMatchObject({
      values: { zone: 'Asia/Tokyo', apply: true },
      positionals: ['name'],
    });
    expect(read()).toMatchObject({ values: {}, positionals: [] });
  });

  it.each([
    [['one', 'two'], 'Unknown argument "two".'],
    [['--nope'], "Unknown option '--nope'."],
    [['--apply=yes'], "Option '--apply' does not take an argument."],
    [['--zone'], "Option '--zone <value>' argument missing."],
  ])('are refused with the usage when it does not have them: %j', (args, sentence) => {
    expect(() => read(...args)).toThrow(new UsageError(`${sentence}\nUsage: npm run thing -- [NAME] [--zone ZONE] [--apply]`));
  });

  it('are no others than --help unless it says so', () => {
    expect(() => readArguments({ help: 'Usage: npm start\n' }, ['anything'])).toThrow('Unknown argument "anything".\nUsage: npm start');
  });

  it('ask for its help with --help', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(read('--help')).toBeNull();
    expect(write).toHaveBeenCalledExactlyOnceWith(command.help);
  });
});
