import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

import { AgentLifecycle } from '@berth/protocol/agent';
import { z } from 'zod';

/**
 * What goes on when a new version of the agent takes the place of an old one in the same process. Later versions read it too: fields are
 * added, never changed.
 */
export const Handover = z.object({
  url: z.string(),
  token: z.string(),
  from_version: z.string(),
  lifecycle: AgentLifecycle,
  /** The private folder of this process. */
  folder: z.string(),
  /** Where programs of the workspace find the helpers of git; empty without. */
  git_folder: z.string().default(''),
  /** Output of what scripts left in the background. */
  outputs: z.array(z.object({ script_id: z.string(), stdout: z.string(), stderr: z.string() })).default([]),
});
export type Handover = z.infer<typeof Handover>;

/** Writes it for this user alone, and returns the file. */
export function writeHandover(handover: Handover): string {
  const file = path.join(handover.folder, `handover-${randomUUID()}.json`);
  writeFileSync(file, JSON.stringify(handover), { mode: 0o600, flag: 'wx' });
  return file;
}

/** Reads what an older version left, and removes it. Throws when it cannot be read. */
export function readHandover(file: string): Handover {
  try {
    return Handover.parse(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(file, { force: true });
  }
}
