/** What a raw door refused, as an error like those of the typed client. `what` opens the sentence where the door gives none: "The upload". */
export function refusalOf(response: Response, answer: unknown, what: string): Error {
  const message = textOf(answer, 'message');
  const error = new Error(message === '' ? `${what} was answered with ${response.status}.` : message);
  const validations: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'validations') : undefined;
  return Object.assign(error, { data: { kind: kindOf(response.status), detail: textOf(answer, 'detail'), validations } });
}

function kindOf(status: number): string {
  switch (status) {
    case 401:
      return 'unauthenticated';
    case 404:
      return 'not_found';
    case 413:
      return 'too_large';
    default:
      return status < 500 ? 'invalid' : 'internal';
  }
}

/** A text of a JSON answer; empty where it has none. */
export function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}
