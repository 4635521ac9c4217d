import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSealer, newSealingKey } from '@berth/core/sealer';

const FILE = 'sealing-keys';

/**
 * The keys that encrypt what must be read back, newest first: those of BERTH_SEALING_KEYS, else the one in the data folder, made at the
 * first start and readable by the server alone. Throws when one is not 32 bytes in base64.
 */
export function sealingKeys(setting: string | undefined, dataDir: string): string[] {
  const keys = listed(setting ?? fileKeys(join(dataDir, FILE)));
  createSealer(keys);
  return keys;
}

function fileKeys(path: string): string {
  if (!existsSync(path)) writeFileSync(path, `${newSealingKey()}\n`, { mode: 0o600, flag: 'wx' });
  return readFileSync(path, 'utf8');
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((key) => key !== '');
}
