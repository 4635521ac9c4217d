import type { Outputs } from '../../api/trpc.ts';
import type { Daemon } from './provisioner-words.ts';

export type QueuedJob = Outputs['provisionerDaemons']['queue'][number];

export interface Nearest {
  readonly daemon: string;
  /** What it lacks, in words: `gpu=yes`, `terraform`. */
  readonly missing: readonly string[];
}

type Needs = Pick<QueuedJob, 'tags' | 'provisioner'>;
type Offers = Pick<Daemon, 'name' | 'tags' | 'provisioners' | 'status'>;

/** Of the daemons that are there, the one that lacks least to take a job; null when one takes it, or none is there. */
export function nearestDaemon(job: Needs, daemons: readonly Offers[]): Nearest | null {
  const present = daemons.filter(({ status }) => status === 'idle' || status === 'busy');
  const lacks = present.map((daemon) => ({ daemon: daemon.name, missing: missingOf(job, daemon) }));
  const [nearest] = lacks.toSorted((a, b) => a.missing.length - b.missing.length);
  return nearest === undefined || nearest.missing.length === 0 ? null : nearest;
}

function missingOf({ tags, provisioner }: Needs, daemon: Offers): string[] {
  const driver = daemon.provisioners.includes(provisioner) ? [] : [`the driver ${provisioner}`];
  const lacking = Object.entries(tags).filter(([name, value]) => (daemon.tags[name] ?? '') !== value);
  return [...driver, ...lacking.map(([name, value]) => (value === '' ? `no ${name}` : `${name}=${value}`))];
}
