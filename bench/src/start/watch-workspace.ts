import { Workspace } from '@berth/api/contract/workspaces';
import type { SignedIn } from './sign-in.ts';

/** The workspace as it is now and after each change, by server-sent events. Ends when `signal` is aborted. */
async function* watchWorkspace(url: string, { token }: SignedIn, id: string, signal: AbortSignal): AsyncGenerator<Workspace> {
  const response = await fetch(`${url}/api/v2/workspaces/${id}/watch`, { headers: { 'service-session-token': token }, signal });
  if (!response.ok || response.body === null) throw new Error(`Watching the workspace answered ${response.status}.`);
  let rest = '';
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const events = `${rest}${text}`.split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const lines = event.split('\n');
      const data = lines.find((line) => line.startsWith('data: '))?.slice('data: '.length);
      if (lines.includes('event: data') && data !== undefined) yield Workspace.parse(JSON.parse(data));
    }
  }
}

/** The first state of the workspace that `matches`; throws after `timeoutMs`. */
export async function waitForWorkspace(options: {
  readonly url: string;
  readonly signedIn: SignedIn;
  readonly id: string;
  readonly timeoutMs: number;
  readonly matches: (workspace: Workspace) => boolean;
}): Promise<Workspace> {
  const { url, signedIn, id, timeoutMs, matches } = options;
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error(`The workspace was not as expected within ${timeoutMs / 1000} s.`)), timeoutMs);
  try {
    for await (const workspace of watchWorkspace(url, signedIn, id, abort.signal)) if (matches(workspace)) return workspace;
    throw new Error('The server stopped telling about the workspace.');
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}
