import { expect, test } from 'vitest';
import { signOnAddress } from './sign-on-address.ts';

test('a provider of each type has its own door, and nothing of the way back is lost', () => {
  expect(signOnAddress({ id: 'corp', type: 'oidc' }, { redirect: '/@ada/box?tab=builds&page=2' })).toBe(
    '/api/v2/users/oidc/callback?provider=corp&redirect=%2F%40ada%2Fbox%3Ftab%3Dbuilds%26page%3D2',
  );
  expect(signOnAddress({ id: 'hub', type: 'codehost' }, { redirect: '/' })).toBe(
    '/api/v2/users/oauth2/codehost/callback?provider=hub&redirect=%2F',
  );
});

test('a conversion carries its state', () => {
  expect(signOnAddress({ id: 'corp', type: 'oidc' }, { redirect: '/account/security', conversion: 'convert-abc' })).toContain(
    'oidc_merge_state=convert-abc',
  );
});
