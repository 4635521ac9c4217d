import type { LogPlace } from '../logs/log-place.ts';
import { LogView } from '../logs/LogView.tsx';
import type { ShownFeed } from '../logs/use-log-feed.ts';
import type { JobLogOptions } from './use-job-log.ts';
import { useJobLog } from './use-job-log.ts';

interface LookProps {
  readonly label: string;
  readonly maxHeight?: number;
  readonly place?: LogPlace;
  readonly measured?: ReadonlyMap<string, number>;
}

/** The log of a build or of an import: all lines so far, then each new one until the job ends. */
export function BuildLog(props: JobLogOptions & LookProps): React.JSX.Element {
  return <OpenBuildLog key={`${props.of}:${props.id}`} {...props} />;
}

function OpenBuildLog({ id, of, onEnded, ...look }: JobLogOptions & LookProps): React.JSX.Element {
  return <JobLogView feed={useJobLog({ id, of, onEnded })} {...look} />;
}

/** The log of a job that somebody else has opened. */
export function JobLogView({ feed, ...look }: LookProps & { readonly feed: ShownFeed }): React.JSX.Element {
  return (
    <LogView
      lines={feed.lines}
      state={feed.state}
      error={feed.error}
      onRetry={feed.retry}
      emptyText={
        feed.state === 'ended' ? 'This job wrote nothing.' : 'Nothing yet. Lines appear here as soon as a provisioner has the job.'
      }
      {...look}
    />
  );
}
