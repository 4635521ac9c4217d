import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OF_ENVIRONMENT } from './config.ts';
import { withSettingsTable } from './settings-doc.ts';
import { SETTINGS } from './settings-table.ts';

/** Read by the provisioner that the server starts, which gets them handed on. */
const OF_THE_PROVISIONER = [
  'BERTH_PROVISIONER_DRIVERS',
  'BERTH_PROVISIONER_TAGS',
  'BERTH_PROVISIONER_CONCURRENCY',
  'BERTH_PROVISIONER_PASS',
  'BERTH_TERRAFORM_BINARY',
  'BERTH_DOCKER_HOST',
];

describe('the table of settings', () => {
  it('has every variable that the server reads, once, and no other', () => {
    const names = SETTINGS.map(({ env }) => env).filter((env) => env !== '');
    expect(names.toSorted()).toEqual([...OF_ENVIRONMENT, ...OF_THE_PROVISIONER].toSorted());
  });

  it('gives every setting a name, a sentence and what holds without it', () => {
    for (const { name, description, default: value, otherwise } of SETTINGS) {
      expect(description, name).toMatch(/\.$/);
      expect(value ?? otherwise ?? '', name).not.toBe('');
    }
    expect(new Set(SETTINGS.map(({ name }) => name)).size).toBe(SETTINGS.length);
  });

  it('stands in docs/configuration.md; `pnpm --filter @berth/server settings-doc` writes it anew', () => {
    const page = readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8');
    const plain = (text: string): string => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
    expect(plain(withSettingsTable(page)) === plain(page), 'docs/configuration.md is out of date').toBe(true);
  });
});
