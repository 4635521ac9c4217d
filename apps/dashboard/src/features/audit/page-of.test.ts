import { expect, it, test } from 'vitest';
import { pageOf } from './page-of.ts';

type Row = Parameters<typeof pageOf>[0];

function row(facts: Partial<Row>): Row {
  return {
    resource_type: 'workspace',
    resource_target: 'first',
    resource_id: '7b0c6a52-3b8b-4a1c-9d0e-0d4f9f6f3c11',
    resource_link: '',
    is_deleted: false,
    action: 'write',
    status_code: 200,
    organization: { name: 'acme' },
    user: { username: 'ada' },
    ...facts,
  };
}
const to = (facts: Partial<Row>): string | null => {
  const place = pageOf(row(facts));
  return place === null ? null : `${place.to}?${new URLSearchParams(place.search)}`.replace(/\?$/, '');
};

it('leads to the page that the dashboard has, under the name of today', () => {
  expect(to({ resource_link: '/@ada/first' })).toBe('/@ada/first');
  expect(to({ resource_type: 'workspace_build', resource_link: '/@ada/first/builds/2' })).toBe('/@ada/first/builds/2');
  expect(to({ resource_type: 'template', resource_target: 'old', resource_link: '/templates/new' })).toBe('/templates/acme/new');
  expect(to({ resource_type: 'user', resource_target: 'old', resource_link: '/users?filter=new%20l' })).toBe('/people/users/new%20l');
  const app = '7b0c6a52-3b8b-4a1c-9d0e-0d4f9f6f3c11';
  expect(to({ resource_type: 'oauth2_provider_app', resource_link: `/deployment/oauth2-provider/apps/${app}` })).toBe(
    `/admin/oauth2-apps/${app}`,
  );
});

it('finds the page of things for which the API has no link', () => {
  expect(to({ resource_type: 'group', resource_target: 'crew 1' })).toBe('/people/organizations/acme/groups/crew%201');
  expect(to({ resource_type: 'organization', resource_target: 'acme' })).toBe('/people/organizations/acme');
  expect(to({ resource_type: 'custom_role', resource_target: 'helper' })).toBe('/people/organizations/acme/roles/helper');
  expect(to({ resource_type: 'custom_role', resource_target: 'helper', organization: null })).toBe('/people/roles/helper');
  expect(to({ resource_type: 'organization_member', resource_target: 'bob' })).toBe('/people/organizations/acme?q=bob');
  expect(to({ resource_type: 'workspace_proxy' })).toBe('/admin/proxies');
  expect(to({ resource_type: 'api_key', action: 'login' })).toBe('/people/users/ada?tab=sessions');
});

it('leads nowhere for what is gone, was never made, or has no page', () => {
  expect(to({ resource_link: '/@ada/first', is_deleted: true })).toBeNull();
  expect(to({ resource_type: 'group', action: 'delete' })).toBeNull();
  expect(to({ resource_type: 'group', action: 'create', status_code: 403 })).toBeNull();
  expect(to({ resource_type: 'license' })).toBeNull();
  expect(to({ resource_type: 'api_key', user: null })).toBeNull();
});

test('security: no link of a row leads to another host', () => {
  for (const link of ['//evil.example/users?', 'https://evil.example', '/templates/../..//evil.example', '/users?filter=..%2F..']) {
    for (const type of ['workspace', 'template', 'user', 'oauth2_provider_app'] as const) {
      expect(to({ resource_type: type, resource_link: link }) ?? '/').toMatch(/^\/(?!\/)/);
    }
  }
});
