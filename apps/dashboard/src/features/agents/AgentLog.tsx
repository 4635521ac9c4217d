import type { WorkspaceAgent, WorkspaceAgentLog } from '@berth/api/contract/agents';
import { useMemo } from 'react';
import { reportFailure } from '../../api/session-expiry.ts';
import { client } from '../../api/trpc.ts';
import type { OpenFeed } from '../logs/log-feed.ts';
import { shownLine } from '../logs/log-lines.ts';
import type { LogPlace } from '../logs/log-place.ts';
import { LogView } from '../logs/LogView.tsx';
import { useLogFeed } from '../logs/use-log-feed.ts';

interface LogProps {
  readonly agent: WorkspaceAgent;
  readonly place?: LogPlace;
  readonly maxHeight?: number;
  readonly measured?: ReadonlyMap<string, number>;
}

/** The log of an agent's scripts as it grows. Another agent needs another one: give it a `key`. */
export function AgentLog({ agent, place, maxHeight = 280, measured }: LogProps): React.JSX.Element {
  const feed = useLogFeed({ open: followAgent(agent.id) });
  const lines = useMemo(() => {
    const names = new Map(agent.log_sources.map(({ id, display_name: name }) => [id, name]));
    return feed.lines.map(({ id, created_at: at, level, output, source_id: source }) =>
      shownLine({ id, at, level, output, stage: names.get(source) ?? 'Other' }),
    );
  }, [feed.lines, agent.log_sources]);
  return (
    <LogView
      label={`Script logs of ${agent.name}`}
      lines={lines}
      state={feed.state}
      error={feed.error}
      onRetry={feed.retry}
      emptyText="The scripts have written nothing yet."
      maxHeight={maxHeight}
      isCut={agent.logs_overflowed}
      place={place}
      measured={measured}
    />
  );
}

function followAgent(workspaceagent: string): OpenFeed<WorkspaceAgentLog> {
  return (after, handlers) => {
    const stream = client.agents.followLogs.subscribe(
      { workspaceagent, after },
      {
        onStarted: handlers.onStarted,
        onData: ({ data }) => handlers.onLines(data),
        onComplete: handlers.onEnded,
        onError: (error) => {
          reportFailure(error);
          handlers.onFailed(error);
        },
      },
    );
    return () => stream.unsubscribe();
  };
}
