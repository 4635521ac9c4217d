import type { ClientError } from '@berth/client';

const SENTENCES: Readonly<Record<string, string>> = {
  client_id: 'No application is known here under the id in this link. It may have been deleted.',
  redirect_uri:
    'The application wants you to go on to an address that is not registered as its own. Somebody may have tampered with the link.',
};

/** Why the server takes an authorization request for none of an application's, in a sentence; undefined for any other failure. */
export function invalidRequestReason({ kind, validations }: Pick<ClientError, 'kind' | 'validations'>): string | undefined {
  if (kind !== 'invalid') return undefined;
  const field = validations.find((validation) => Object.hasOwn(SENTENCES, validation.field))?.field;
  return field === undefined ? 'The request of the application is too long or garbled.' : SENTENCES[field];
}
