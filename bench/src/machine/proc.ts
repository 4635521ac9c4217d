import { readFile, readdir } from 'node:fs/promises';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own tick is. */
const TICK_US = 10_000;

/** User and system time that a process has used, in microseconds. Linux only. */
export async function cpuMicros(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold spaces; the fields after it do not.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_US;
}

/** Resident memory of a process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

/** A process and everything below it. */
async function familyOf(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const text = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    if (text !== '') parents.set(Number(entry), Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]));
  }
  const family = [root];
  for (const pid of family) {
    for (const [child, parent] of parents) if (parent === pid) family.push(child);
  }
  return family;
}

/** The processor time of a process and everything below it now; what ended in between is lost. */
export async function familyCpuMicros(root: number): Promise<number> {
  const times = await Promise.all((await familyOf(root)).map((pid) => cpuMicros(pid).catch(() => 0)));
  return times.reduce((sum, time) => sum + time, 0);
}

/** The newest process whose command line is as asked. */
export async function newestPid(isIt: (command: string) => boolean): Promise<number | undefined> {
  let newest: { readonly pid: number; readonly startedAt: number } | undefined;
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const command = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (command === '' || !isIt(command.replaceAll('\0', ' '))) continue;
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const startedAt = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    if (newest === undefined || startedAt > newest.startedAt) newest = { pid: Number(entry), startedAt };
  }
  return newest?.pid;
}
