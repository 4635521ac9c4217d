import { readFile } from 'node:fs/promises';
import { arch, availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';

export interface MachineFacts {
  readonly cores: number;
  readonly cpuModel: string;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  /** Of the last minute, before the run: what others did on the machine. */
  readonly load: number;
}

export async function machineFacts(): Promise<MachineFacts> {
  const osRelease = await readFile('/etc/os-release', 'utf8').catch(() => '');
  const name = /^PRETTY_NAME="?([^"\n]+)"?/m.exec(osRelease)?.[1] ?? type();
  return {
    cores: availableParallelism(),
    cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${name}, kernel ${release()}, ${arch()}`,
    node: process.version,
    load: loadavg()[0] ?? 0,
  };
}
