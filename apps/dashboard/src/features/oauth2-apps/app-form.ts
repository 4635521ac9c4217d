import { nameProblem } from '@berth/domain';

export const APP_FIELDS = ['name', 'callback_url', 'icon', 'client_type'] as const;

/** The rule of addresses to come back to, which is that of the server; null means fine. */
export function callbackProblem(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === '') return 'Must be an absolute http or https address.';
  if (url.hash !== '') return 'Must not have a fragment (#…).';
  return url.username === '' && url.password === '' ? null : 'Must not hold credentials.';
}

export const APP_RULES = {
  name: (value: string) => nameProblem('name', value),
  callback_url: (value: string) => callbackProblem(value.trim()),
};
