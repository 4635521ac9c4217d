import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import type { QuerySpec } from './query-spec.ts';
import type { QueryProblem } from './query-text.ts';
import { problemsOf, typedAt } from './query-text.ts';

const TYPING_PAUSE_MS = 350;

export interface QueryDraft {
  readonly text: string;
  readonly caret: number;
  /** Those that may be shown: nobody is told of a word that they are still typing. */
  readonly problems: readonly QueryProblem[];
  /** Takes what was typed; it is sent when typing pauses and nothing is wrong with it. */
  readonly type: (text: string, caret: number) => void;
  readonly moveCaret: (caret: number) => void;
  /** Sends it now; what is wrong is shown instead. */
  readonly submit: (text: string) => void;
  /** From now on all problems are shown, also of the last word. */
  readonly leave: () => void;
}

/** The text of a query between what was searched last, `q`, and what is to be searched next. */
export function useQueryDraft(q: string, spec: QuerySpec, onSearch: (q: string) => void): QueryDraft {
  const [draft, setDraft] = useState({ text: q, caret: q.length, isLeft: true });
  // What this very input sent comes back as `q`: it must not overwrite what was typed since. Another `q` is a link or the way back.
  const [known, setKnown] = useState(q);
  const [sent, setSent] = useState(q);
  if (known !== q) {
    setKnown(q);
    if (q !== sent) setDraft({ text: q, caret: q.length, isLeft: true });
  }
  const send = (text: string): void => {
    const next = text.trim();
    if (problemsOf(next, spec.rules).length > 0) return;
    setSent(next);
    if (next !== q) onSearch(next);
  };
  const sendSoon = useDebouncedCallback(send, TYPING_PAUSE_MS);
  const typed = typedAt(draft.text, draft.caret, () => false);
  const problems = problemsOf(draft.text, spec.rules).filter(({ start, end }) => draft.isLeft || typed.end < start || typed.start > end);
  return {
    text: draft.text,
    caret: draft.caret,
    problems,
    type: (text, caret) => {
      setDraft({ text, caret, isLeft: false });
      // The beginning of a key would be searched for as a word of its own, which nobody means.
      if (beginsKey(text, caret, spec)) sendSoon.cancel();
      else sendSoon(text);
    },
    moveCaret: (caret) => setDraft((before) => (before.caret === caret ? before : { ...before, caret })),
    submit: (text) => {
      setDraft((before) => ({ ...before, text, isLeft: true }));
      sendSoon.cancel();
      send(text);
    },
    leave: () => setDraft((before) => (before.isLeft ? before : { ...before, isLeft: true })),
  };
}

function beginsKey(text: string, caret: number, { keys }: QuerySpec): boolean {
  const typed = typedAt(text, caret, () => false);
  return typed.key === null && typed.text !== '' && keys.some(({ key }) => key.startsWith(typed.text.toLowerCase()));
}
