import { csrfToken } from './csrf.ts';
import { refusalOf, textOf } from './refusal.ts';

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
  throw refusalOf(response, answer, 'The upload');
}
