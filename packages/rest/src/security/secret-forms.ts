import { hashToken } from '@berth/core/secrets';
import { expect } from 'vitest';

/** Forms in which a secret could show: itself, its random part, its hash in any usual writing. */
function formsOf(secret: string): string[] {
  const hash = Buffer.from(hashToken(secret));
  const parts = secret.split(/[-_:]/).filter((part) => part.length >= 20);
  return [
    secret,
    ...parts,
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
    hash.toString('hex'),
    hash.toString('base64'),
    Buffer.from(secret).toString('base64'),
  ];
}

/** Fails, and says which one, when a text holds any of the secrets (by what they are) in any form. */
export function expectNoSecret(secrets: ReadonlyMap<string, string>, text: string, where: string): void {
  for (const [what, secret] of secrets) {
    for (const form of formsOf(secret)) {
      const at = text.indexOf(form);
      expect(at === -1 ? '' : text.slice(Math.max(0, at - 200), at), `${what} in ${where}`).toBe('');
    }
  }
}
