import type { JobErrorCode, JobStatus, ProvisionerType } from '../enums.ts';
import { failedWhy } from './why-failed.ts';
import { waitingWhy } from './why-waiting.ts';

/** Where a job stands, for people: the one thing that explains it. */
export const WHY_KINDS = [
  'none',
  'waiting_no_provisioner',
  'waiting_provisioner_offline',
  'waiting_busy',
  'waiting_queue',
  'waiting_pickup',
  'running',
  'canceling',
  'canceled',
  'failed',
] as const;
export type WhyKind = (typeof WHY_KINDS)[number];

/** The one thing to do that helps most. */
export const WHY_ACTIONS = [
  'none',
  'wait',
  'add_provisioner',
  'start_provisioner',
  'view_logs',
  'retry',
  'update',
  'fix_parameters',
  'set_variables',
  'raise_quota',
] as const;
export type WhyAction = (typeof WHY_ACTIONS)[number];

/** What the job does, as a sentence calls it. */
export type WhySubject = 'build' | 'import';

/** The daemons whose type and tags fit the job; each is in exactly one of the four states. */
export interface FittingDaemons {
  readonly free: number;
  readonly busy: number;
  readonly draining: number;
  readonly offline: number;
  /** Jobs that the free and the busy ones together do at a time, */
  readonly slots: number;
  /** and how many more they could take now. */
  readonly freeSlots: number;
}

export interface WaitingFacts {
  readonly provisioner: ProvisionerType;
  readonly tags: Readonly<Record<string, string>>;
  readonly daemons: FittingDaemons;
  /** Rank among the waiting jobs that the same daemons could take: 1 is next. */
  readonly position: number;
  /** How long such a job usually takes, in seconds; null while nothing is known. */
  readonly typicalSeconds: number | null;
}

/** What is different from the last build that succeeded. */
export interface ChangedSinceGreen {
  readonly sinceBuildNumber: number;
  readonly version: { readonly from: string; readonly to: string } | null;
  /** Names only: values may be secret. */
  readonly parameters: readonly string[];
  /** A state was given with the request instead of the one of the build before. */
  readonly state: boolean;
}

export interface FailureFacts {
  readonly error: string;
  readonly errorCode: JobErrorCode;
  /** The first line that the driver logged as an error, if there is one. */
  readonly firstError: { readonly stage: string; readonly output: string } | null;
  /** The stage of the last line. */
  readonly lastStage: string;
  /** The server ended it, because no provisioner reported any more. */
  readonly isLost: boolean;
  /** Null when nothing succeeded before. */
  readonly changed: ChangedSinceGreen | null;
  /** The template has another active version than this job is about. */
  readonly hasNewerVersion: boolean;
}

export interface WhyFacts {
  readonly subject: WhySubject;
  readonly status: JobStatus;
  readonly waiting: WaitingFacts;
  readonly failure: FailureFacts;
}

export interface Why {
  readonly kind: WhyKind;
  /** One or two sentences in plain words, without markup. */
  readonly sentence: string;
  readonly action: WhyAction;
  /** Until the job starts; null when it does not wait or nothing is known. */
  readonly estimateSeconds: number | null;
}

/** Why a job is where it is, and what helps. Says nothing that its facts do not hold. */
export function why({ subject, status, waiting, failure }: WhyFacts): Why {
  switch (status) {
    case 'pending':
      return waitingWhy(subject, waiting);
    case 'running':
      return { kind: 'running', sentence: `A provisioner is working on this ${subject}.`, action: 'wait', estimateSeconds: null };
    case 'canceling':
      return {
        kind: 'canceling',
        sentence: `Somebody asked to cancel this ${subject}; the provisioner is ending it.`,
        action: 'wait',
        estimateSeconds: null,
      };
    case 'canceled':
      return { kind: 'canceled', sentence: `This ${subject} was canceled.`, action: 'retry', estimateSeconds: null };
    case 'failed':
    case 'unknown':
      return failedWhy(subject, failure);
    case 'succeeded':
      return { kind: 'none', sentence: `This ${subject} succeeded.`, action: 'none', estimateSeconds: null };
  }
}
