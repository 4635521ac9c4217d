import type { ProvisionerJobLog } from '@berth/api/contract/provisioner-jobs';
import { useMemo } from 'react';
import { reportFailure } from '../../api/session-expiry.ts';
import { client } from '../../api/trpc.ts';
import type { OpenFeed } from '../logs/log-feed.ts';
import type { ShownLine } from '../logs/log-lines.ts';
import { plainText } from '../logs/log-lines.ts';
import { LogView } from '../logs/LogView.tsx';
import { useLogFeed } from '../logs/use-log-feed.ts';

export interface JobLogProps {
  /** The build's id, or the template version's. */
  readonly id: string;
  readonly of: 'build' | 'template version';
  readonly label: string;
  readonly maxHeight?: number;
  /** When the job has ended, so that whoever shows it can look again. */
  readonly onEnded?: () => void;
}

/** The log of a build or of an import: all lines so far, then each new one until the job ends. */
export function BuildLog(props: JobLogProps): React.JSX.Element {
  return <OpenBuildLog key={`${props.of}:${props.id}`} {...props} />;
}

function OpenBuildLog({ id, of, label, maxHeight, onEnded }: JobLogProps): React.JSX.Element {
  const feed = useLogFeed({ open: of === 'build' ? followBuild(id) : followVersion(id), onEnded });
  const lines = useMemo(() => feed.lines.map(shown), [feed.lines]);
  return (
    <LogView
      label={label}
      lines={lines}
      state={feed.state}
      error={feed.error}
      onRetry={feed.retry}
      emptyText={
        feed.state === 'ended' ? 'This job wrote nothing.' : 'Nothing yet. Lines appear here as soon as a provisioner has the job.'
      }
      {...(maxHeight === undefined ? {} : { maxHeight })}
    />
  );
}

function shown(line: ProvisionerJobLog): ShownLine {
  return { id: line.id, at: line.created_at, level: line.log_level, stage: line.stage, text: plainText(line.output) };
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
