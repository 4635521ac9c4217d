import { csrfToken } from './csrf.ts';

const PATH = '/api/v2/files';

/** Stores an archive on the server and answers its id. Throws what a call of the typed client throws: a refusal in the server's words. */
export async function uploadArchive(archive: Blob, type: 'application/x-tar' | 'application/zip'): Promise<string> {
  const response = await fetch(PATH, {
    method: 'POST',
    headers: { 'Content-Type': type, 'X-CSRF-TOKEN': csrfToken(document.cookie) },
    body: archive,
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const id = textOf(answer, 'hash');
  if (response.ok && id !== '') return id;
  throw refusal(response, answer);
}

/** The answer of the raw door as an error like those of the typed one. */
function refusal(response: Response, answer: unknown): Error {
  const message = textOf(answer, 'message');
  const error = new Error(message === '' ? `The upload was answered with ${response.status}.` : message);
  const kind =
    response.status === 401 ? 'unauthenticated' : response.status === 413 ? 'too_large' : response.status < 500 ? 'invalid' : 'internal';
  const validations: unknown = typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'validations') : undefined;
  return Object.assign(error, { data: { kind, detail: textOf(answer, 'detail'), validations } });
}

function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof found === 'string' ? found : '';
}
