import { expect, it } from 'vitest';
import { SignOnSettings } from './settings.ts';

const oidc = { type: 'oidc', issuer_url: 'https://id.example.com', client_id: 'berth' };
const codehost = {
  type: 'codehost',
  authorize_url: 'https://git.example.com/authorize',
  token_url: 'https://git.example.com/token',
  api_url: 'https://git.example.com/api',
  client_id: 'berth',
  client_secret: 'a-secret',
};
const problems = (...providers: object[]): string[] =>
  SignOnSettings.safeParse({ providers }).error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];

it('takes several providers of both kinds, whose ids differ', () => {
  expect(problems(oidc, codehost, { ...oidc, id: 'partners' })).toEqual([]);
  expect(problems(oidc, oidc)).toEqual(['providers must have a different id for each provider']);
});

it('takes no allow-list that could let nobody in by mistake', () => {
  expect(problems({ ...oidc, allowed_groups: ['engineering'] })).toEqual([
    'providers.0.groups_claim must name the claim that allowed_groups are looked for in',
  ]);
  expect(problems({ ...codehost, allowed_organizations: ['example'], allowed_teams: ['platform'] })).toEqual([
    'providers.0.allowed_teams must be organization/team, of an organization in allowed_organizations',
  ]);
  expect(problems({ ...codehost, allowed_organizations: ['Example'], allowed_teams: ['example/platform'] })).toEqual([]);
});

it('asks only addresses of the web', () => {
  expect(problems({ ...oidc, issuer_url: 'file:///etc/passwd' })).toEqual(['providers.0.issuer_url must be an http or https address']);
});
