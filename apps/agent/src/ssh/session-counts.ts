/** What a session is used by, as the client says in `BERTH_SSH_SESSION_TYPE`. */
export type SessionKind = 'vscode' | 'jetbrains' | 'ssh';

export type SessionCounts = Readonly<Record<SessionKind, number>>;

export const SESSION_KIND_VARIABLE = 'BERTH_SSH_SESSION_TYPE';

export interface SessionCounter {
  /** Sessions that run now. */
  readonly counts: SessionCounts;
  /** Counts one more; the function that it answers takes it off again, once. */
  begin(kind: SessionKind): () => void;
}

export function countSessions(): SessionCounter {
  const counts = { vscode: 0, jetbrains: 0, ssh: 0 };
  return {
    get counts() {
      return { ...counts };
    },
    begin: (kind) => {
      counts[kind] += 1;
      let isOver = false;
      return () => {
        if (!isOver) counts[kind] -= 1;
        isOver = true;
      };
    },
  };
}

export function sessionKind(said: string | undefined): SessionKind {
  const kind = said?.toLowerCase();
  return kind === 'vscode' || kind === 'jetbrains' ? kind : 'ssh';
}
