/** Shorter texts are left alone: they would be found everywhere, and hide nothing. */
const SHORTEST = 4;
/** Of a secret of several lines, each long one must not be seen by itself either. */
const SHORTEST_LINE = 12;
const HIDDEN = '[hidden]';

/** Takes secrets out of what is about to be written down. More may become known as the work goes on. */
export class Redactor {
  #secrets: string[] = [];

  constructor(secrets: readonly string[] = []) {
    this.add(secrets);
  }

  add(secrets: readonly string[]): void {
    const all = new Set(this.#secrets);
    for (const secret of secrets) {
      if (secret.length < SHORTEST) continue;
      all.add(secret);
      // As it stands inside of another text's quotes.
      all.add(JSON.stringify(secret).slice(1, -1));
      if (!secret.includes('\n')) continue;
      for (const line of secret.split('\n').map((part) => part.trim())) {
        if (line.length >= SHORTEST_LINE && !line.startsWith('-----')) all.add(line);
      }
    }
    // Longest first, so that a secret within another leaves nothing of the longer one.
    this.#secrets = [...all].toSorted((one, other) => other.length - one.length);
  }

  redact(text: string): string {
    return this.#secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text);
  }
}
