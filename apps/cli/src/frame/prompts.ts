import { interrupted, usageError } from './errors.ts';
import type { Io } from './io.ts';
import { isInteractive } from './io.ts';
import { plain } from './plain-text.ts';

export interface Question {
  readonly message: string;
  /** What answers it without a prompt, such as `--name <name>`. */
  readonly flag: string;
}

export interface Choice {
  readonly value: string;
  readonly name: string;
  readonly description?: string;
}

/** Prompts on a terminal. Without one, a question with a default uses it, and any other ends the program with the flag that is missing. */
export class Prompts {
  readonly #io: Io;

  constructor(io: Io) {
    this.#io = io;
  }

  get isPossible(): boolean {
    return isInteractive(this.#io);
  }

  async text(question: Question & { readonly standard?: string; validate?(answer: string): string | null }): Promise<string> {
    const { standard } = question;
    if (!this.isPossible && standard !== undefined) return standard;
    this.#requirePossible(question);
    const { input } = await import('./inquirer.ts');
    return input(
      {
        message: plain(question.message),
        ...(standard === undefined ? {} : { default: standard }),
        validate: (answer) => question.validate?.(answer) ?? true,
      },
      this.#context(),
    );
  }

  async secret(question: Question): Promise<string> {
    this.#requirePossible(question);
    const { password } = await import('./inquirer.ts');
    return password({ message: plain(question.message), mask: '*' }, this.#context());
  }

  async choose(question: Question & { readonly choices: readonly Choice[]; readonly standard?: string }): Promise<string> {
    const { standard } = question;
    if (!this.isPossible && standard !== undefined) return standard;
    this.#requirePossible(
      question,
      question.choices.map(({ value }) => value),
    );
    const { search, select } = await import('./inquirer.ts');
    const choices = question.choices.map(({ value, name, description }) => ({
      value,
      name: plain(name),
      ...(description === undefined || description === '' ? {} : { description: plain(description) }),
    }));
    const message = plain(question.message);
    if (choices.length <= 12) {
      return select({ message, choices, ...(standard === undefined ? {} : { default: standard }) }, this.#context());
    }
    const source = (term: string | undefined): typeof choices =>
      choices.filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes((term ?? '').toLowerCase()));
    return search({ message, source }, this.#context());
  }

  async chooseSeveral(
    question: Question & { readonly choices: readonly Choice[]; readonly standard: readonly string[] },
  ): Promise<readonly string[]> {
    if (!this.isPossible) return question.standard;
    const { checkbox } = await import('./inquirer.ts');
    const choices = question.choices.map(({ value, name }) => ({ value, name: plain(name), checked: question.standard.includes(value) }));
    return checkbox({ message: plain(question.message), choices }, this.#context());
  }

  async confirm(question: Question & { readonly standard: boolean }): Promise<boolean> {
    this.#requirePossible(question);
    const { confirm } = await import('./inquirer.ts');
    return confirm({ message: plain(question.message), default: question.standard }, this.#context());
  }

  /** Before something that cannot be undone: the person types the thing's name, or has said `--yes`. */
  async confirmByName({ what, name, isSure }: { readonly what: string; readonly name: string; readonly isSure: boolean }): Promise<void> {
    if (isSure) return;
    if (!this.isPossible) throw usageError(`${what} Without a terminal, confirm it with --yes.`);
    const { input } = await import('./inquirer.ts');
    const answer = await input({ message: `${plain(what)} Type ${plain(name)} to confirm:` }, this.#context());
    if (answer.trim() !== name) throw usageError('The name does not match. Nothing was changed.');
  }

  #requirePossible({ flag }: Pick<Question, 'flag'>, choices: readonly string[] = []): void {
    if (this.#io.signal.aborted) throw interrupted();
    if (this.isPossible) return;
    const options = choices.length === 0 || choices.length > 20 ? {} : { next: `One of: ${choices.join(', ')}` };
    throw usageError(`Missing ${flag}. Without a terminal, there is no prompt for it.`, options);
  }

  #context(): { input: NodeJS.ReadableStream; output: NodeJS.WritableStream; signal: AbortSignal } {
    return { input: this.#io.stdin, output: this.#io.stderr, signal: this.#io.signal };
  }
}
