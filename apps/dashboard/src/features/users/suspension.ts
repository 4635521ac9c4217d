import { counted } from '@berth/core';

interface Facts {
  /** Undefined where it is not known, or not for the caller to know. */
  readonly sessions: number | undefined;
  readonly tokens: number | undefined;
  /** Names of some of them. */
  readonly running: readonly string[] | undefined;
  readonly runningCount: number | undefined;
}

/** What ends when an account is suspended, a sentence for each kind of thing. */
export function endsSentences({ sessions, tokens, running, runningCount }: Facts): string[] {
  return [
    sessions === undefined ? 'Every session ends.' : endsSentence(sessions, 'session', 'There are no sessions.'),
    tokens === undefined ? 'Every API token stops working.' : endsSentence(tokens, 'API token', 'There are no API tokens.'),
    workspaceSentence(running, runningCount),
  ];
}

function endsSentence(count: number, noun: string, none: string): string {
  return count === 0 ? none : `${counted(count, `${noun} stops`, `${noun}s stop`)} working.`;
}

function workspaceSentence(names: readonly string[] | undefined, count: number | undefined): string {
  if (names === undefined || count === undefined) return 'Running workspaces are stopped.';
  if (count === 0) return 'No workspace is running.';
  const more = count - names.length;
  const list = `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return count === 1
    ? `The running workspace ${list} is stopped.`
    : `${counted(count, 'running workspace is', 'running workspaces are')} stopped: ${list}.`;
}
