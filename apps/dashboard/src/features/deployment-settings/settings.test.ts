import { expect, test } from 'vitest';
import type { Setting } from './settings.ts';
import { descriptionParts, settingId, settingsByGroup, valueText } from './settings.ts';

const setting = (env: string, rest: Partial<Setting> = {}): Setting => ({
  name: env,
  description: '',
  env,
  yaml: '',
  flag: '',
  flag_shorthand: '',
  default: '',
  value: '',
  value_source: 'default',
  required: false,
  hidden: false,
  annotations: {},
  group: { name: 'Network', description: '', yaml: '', parent: null },
  use_instead: [],
  ...rest,
});

const settings = [
  setting('BERTH_HTTP_ADDRESS', { name: 'Address', value: '127.0.0.1:3000', value_source: 'env' }),
  setting('BERTH_RATE_LIMIT', { description: 'Requests to the API per address and minute.' }),
  setting('', {
    yaml: 'sign_on.providers',
    name: 'Sign-in providers',
    value: ['staff'],
    value_source: 'yaml',
    group: { ...setting('').group, name: 'Sign-in' },
  }),
];
const found = (q: string, source?: 'set' | 'default') =>
  settingsByGroup(settings, { q, source }).map(([group, rows]) => [group, rows.map(settingId)]);

test('settings are found by every word of their names, description, group and value, and stay in their groups', () => {
  expect(found('')).toEqual([
    ['Network', ['BERTH_HTTP_ADDRESS', 'BERTH_RATE_LIMIT']],
    ['Sign-in', ['sign_on.providers']],
  ]);
  expect(found('http 3000')).toEqual([['Network', ['BERTH_HTTP_ADDRESS']]]);
  expect(found('minute REQUESTS')).toEqual([['Network', ['BERTH_RATE_LIMIT']]]);
  expect(found('staff')).toEqual([['Sign-in', ['sign_on.providers']]]);
  expect(found('nothing such')).toEqual([]);
});

test('what somebody set is told from what is so by default', () => {
  expect(found('', 'set').flatMap(([, ids]) => ids)).toEqual(['BERTH_HTTP_ADDRESS', 'sign_on.providers']);
  expect(found('', 'default').flatMap(([, ids]) => ids)).toEqual(['BERTH_RATE_LIMIT']);
});

test('values and descriptions become text that can be shown', () => {
  expect([valueText({ value: ['a', 'b'] }), valueText({ value: false }), valueText({ value: null })]).toEqual(['a, b', 'false', '']);
  expect(descriptionParts('Takes `host_name:port`, as _people_ read [here](guides/x.md); BERTH_X_Y.')).toEqual([
    { kind: 'text', text: 'Takes ' },
    { kind: 'code', text: 'host_name:port' },
    { kind: 'text', text: ', as ' },
    { kind: 'emphasis', text: 'people' },
    { kind: 'text', text: ' read ' },
    { kind: 'text', text: 'here' },
    { kind: 'text', text: '; BERTH_X_Y.' },
  ]);
});
