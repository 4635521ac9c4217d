import type { ProvisionerJobLog } from '@berth/api/contract/provisioner-jobs';
import { useMemo } from 'react';
import { reportFailure } from '../../api/session-expiry.ts';
import { client } from '../../api/trpc.ts';
import type { OpenFeed } from '../logs/log-feed.ts';
import type { ShownFeed } from '../logs/use-log-feed.ts';
import { shownLine } from '../logs/log-lines.ts';
import { useLogFeed } from '../logs/use-log-feed.ts';

export interface JobLogOptions {
  /** The build's id, or the template version's. Another one needs another component: give it a `key`. */
  readonly id: string;
  readonly of: 'build' | 'template version';
  /** When the job has ended, so that whoever shows it can look again. */
  readonly onEnded?: (() => void) | undefined;
}

/** The log of a build or of an import: all lines so far, then each new one until the job ends. */
export function useJobLog({ id, of, onEnded }: JobLogOptions): ShownFeed {
  const { lines, ...feed } = useLogFeed({ open: of === 'build' ? followBuild(id) : followVersion(id), onEnded });
  return { ...feed, lines: useMemo(() => lines.map(shown), [lines]) };
}

/** The log of a dry run of a template version. */
export function useDryRunLog({ versionId, jobId }: { readonly versionId: string; readonly jobId: string }): ShownFeed {
  const { lines, ...feed } = useLogFeed({ open: followDryRun(versionId, jobId) });
  return { ...feed, lines: useMemo(() => lines.map(shown), [lines]) };
}

function shown({ id, created_at: at, log_level: level, stage, output }: ProvisionerJobLog) {
  return shownLine({ id, at, level, stage, output });
}

function followBuild(id: string): OpenFeed<ProvisionerJobLog> {
  return (after, handlers) => {
    const stream = client.builds.followLogs.subscribe({ workspacebuild: id, after }, options(handlers));
    return () => stream.unsubscribe();
  };
}

function followVersion(id: string): OpenFeed<ProvisionerJobLog> {
  return (after, handlers) => {
    const stream = client.templateVersions.followLogs.subscribe({ templateversion: id, after }, options(handlers));
    return () => stream.unsubscribe();
  };
}

function followDryRun(templateversion: string, jobID: string): OpenFeed<ProvisionerJobLog> {
  return (after, handlers) => {
    const stream = client.templateVersions.followDryRunLogs.subscribe({ templateversion, jobID, after }, options(handlers));
    return () => stream.unsubscribe();
  };
}

function options(handlers: Parameters<OpenFeed<ProvisionerJobLog>>[1]) {
  return {
    onStarted: handlers.onStarted,
    onData: ({ data }: { data: ProvisionerJobLog }) => handlers.onLines([data]),
    onComplete: handlers.onEnded,
    onError: (error: unknown) => {
      reportFailure(error);
      handlers.onFailed(error);
    },
  };
}
