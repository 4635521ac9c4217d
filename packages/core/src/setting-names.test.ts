import { expect, test } from 'vitest';
import { unknownSettings } from './setting-names.ts';

const known = ['BERTH_HTTP_ADDRESS', 'BERTH_DATA_DIR', 'BERTH_LOG_LEVEL'];

test('a misspelled setting is named with the one that was probably meant', () => {
  expect(unknownSettings({ BERTH_HTP_ADDRESS: 'x', BERTH_DATADIR: 'x', BERTH_LOG_LEVLE: 'x', PATH: 'x' }, { known })).toEqual([
    'BERTH_DATADIR is not a setting of Berth. Did you mean BERTH_DATA_DIR?',
    'BERTH_HTP_ADDRESS is not a setting of Berth. Did you mean BERTH_HTTP_ADDRESS?',
    'BERTH_LOG_LEVLE is not a setting of Berth. Did you mean BERTH_LOG_LEVEL?',
  ]);
});

test('an unknown setting that resembles none is named alone, unless others read it', () => {
  const env = { BERTH_PORT: '8080', BERTH_KEYCLOAK_SECRET: 'x' };
  expect(unknownSettings(env, { known, ignored: ['BERTH_KEYCLOAK_SECRET'] })).toEqual([
    'BERTH_PORT is not a setting of Berth, so it has no effect.',
  ]);
  expect(unknownSettings(env, { known, isOwn: () => false })).toEqual([]);
});

test('what Berth sets in workspaces, and what its other programs read, is no mistake', () => {
  const env = {
    BERTH_DATA_DIR: 'x',
    BERTH_AGENT_TOKEN: 'x',
    BERTH_WORKSPACE_NAME: 'x',
    BERTH_PARAM_PORT: 'x',
    BERTH_URL: 'x',
    BERTH_SESSION_TOKEN: 'x',
  };
  expect(unknownSettings(env, { known })).toEqual([]);
});
