import type { z } from 'zod';

const SHOWN = '[secret]';

/**
 * A text that never prints itself: in a log line, an error, JSON or a template string it reads `[secret]`. Only `reveal` gives the text, to the
 * one call that needs it.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  /** What Node's `console` and `util.inspect` show. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SHOWN;
  }
}

/** A setting that is a secret: checked as text, kept as `Secret`. */
export function secretText(rule: z.ZodType<string, string>): z.ZodType<Secret, string> {
  return rule.transform((text) => new Secret(text));
}
