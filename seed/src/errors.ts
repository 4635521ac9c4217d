import { errorOf } from '@berth/client';

/** What went wrong, in a sentence, and what to do about it. */
export class SeedError extends Error {
  readonly fix: string;

  constructor(message: string, fix: string, options?: ErrorOptions) {
    super(message, options);
    this.fix = fix;
  }
}

/** Reads whatever was thrown while `step` was done. */
export function seedErrorOf(error: unknown, { step, url }: { step: string; url: string }): SeedError {
  if (error instanceof SeedError) return error;
  const { kind, message, detail, validations, requestId } = errorOf(error);
  const fields = validations.map((one) => `${one.field} ${one.detail}`).join('; ');
  const sentence = `${step}: ${[message, detail, fields].filter((part) => part !== '').join(' ')}`;
  const id = requestId === '' ? '' : ` The server's log has it under request ${requestId}.`;
  switch (kind) {
    case 'network':
      return new SeedError(
        `No Berth answers at ${url}.`,
        'Start it with npm start, or say where it is: npm run seed -- --url http://host:port',
        { cause: error },
      );
    case 'unauthenticated':
      return new SeedError(sentence, 'Give a valid --token, or --email and --password of an owner.', { cause: error });
    case 'forbidden':
      return new SeedError(sentence, 'Sign in as an owner: only an owner can create users, templates and applications.', { cause: error });
    case 'rate_limited':
      return new SeedError(sentence, 'Wait a minute and run it again; it goes on where it stopped.', { cause: error });
    case 'unavailable':
    case 'not_ready':
      return new SeedError(sentence, `Run it again in a moment; it goes on where it stopped.${id}`, { cause: error });
    case 'invalid':
    case 'not_found':
    case 'conflict':
    case 'too_large':
    case 'has_dependents':
    case 'internal':
      return new SeedError(sentence, `This is a fault of the seed or of the server.${id}`, { cause: error });
  }
}
