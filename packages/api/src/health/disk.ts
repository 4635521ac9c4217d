import type { Services } from '../kernel/context.ts';
import type { DiskSpace } from '../kernel/disk.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well, within } from './findings.ts';

const TIMEOUT_MS = 5000;
const MIB = 1024 * 1024;
/** Below it an administrator should act. */
const WARNING_BYTES = 1024 * MIB;
/** Below it a database may stop at any write. */
const ERROR_BYTES = 128 * MIB;
const WARNING_FILES = 10_000;
const ERROR_FILES = 500;

type DiskReport = Omit<HealthcheckReport['disk'], 'dismissed'>;

/** How much space is left for the data folder. */
export async function checkDisk({ disk }: Pick<Services, 'disk'>): Promise<DiskReport> {
  const thresholds = { folder: disk.folder, warning_bytes: WARNING_BYTES, error_bytes: ERROR_BYTES };
  try {
    const space = await within(TIMEOUT_MS, disk.space());
    return { ...thresholds, total_bytes: space.totalBytes, free_bytes: space.freeBytes, ...judged(disk.folder, space) };
  } catch (error) {
    const problem = `The free space of ${disk.folder} cannot be read: ${reasonOf(error)}.`;
    return { ...thresholds, total_bytes: 0, free_bytes: 0, ...well([{ code: 'EUNKNOWN', message: problem }]) };
  }
}

function judged(folder: string, { freeBytes, freeFiles }: DiskSpace): ReturnType<typeof well> {
  const disk = `The disk of ${folder} is`;
  const space = `${Math.floor(freeBytes / MIB)} MiB free`;
  const files = `room for ${freeFiles ?? 0} more files`;
  if (freeBytes < ERROR_BYTES) return broken('EDISK02', `${disk} full: ${space}, but at least ${ERROR_BYTES / MIB} MiB are needed.`);
  if (freeFiles !== null && freeFiles < ERROR_FILES) {
    return broken('EDISK02', `${disk} full: ${files}, but at least ${ERROR_FILES} are needed.`);
  }
  if (freeBytes < WARNING_BYTES) {
    return well([{ code: 'EDISK01', message: `${disk} nearly full: ${space}. Warns below ${WARNING_BYTES / MIB} MiB.` }]);
  }
  if (freeFiles !== null && freeFiles < WARNING_FILES) {
    return well([{ code: 'EDISK01', message: `${disk} nearly full: ${files}. Warns below ${WARNING_FILES}.` }]);
  }
  return well();
}
