import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { QuerySpec } from './query-spec.ts';
import type { Suggestion, Typed } from './query-text.ts';
import { suggestTerms, suggestValues, termsOf } from './query-text.ts';

const SHOWN_MAX = 12;
const TYPING_PAUSE_MS = 150;
const VALUES_STALE_MS = 60_000;

interface Asked {
  /** What the language is called: "workspaces". Keeps its values apart from those of others. */
  readonly name: string;
  readonly spec: QuerySpec;
  readonly text: string;
  readonly typed: Typed;
  readonly isOpen: boolean;
}

/** What may be put in where the caret stands. Values of the server come a moment later; until then those of before stay. */
export function useSuggestions({ name, spec, text, typed, isOpen }: Asked): { suggestions: readonly Suggestion[]; isLoading: boolean } {
  const key = spec.keys.find((one) => one.key === typed.key);
  const provider = typeof key?.values === 'function' ? key.values : undefined;
  const [wanted] = useDebouncedValue(typed.text, TYPING_PAUSE_MS);
  const asked = useQuery({
    queryKey: ['query values', name, typed.key, wanted],
    queryFn: () => (provider === undefined ? [] : provider(wanted)),
    enabled: isOpen && provider !== undefined,
    staleTime: VALUES_STALE_MS,
    // Of the same key only: the values of another one would be nonsense here.
    placeholderData: (values, before) => (before?.queryKey[2] === typed.key ? keepPreviousData(values) : undefined),
    // No suggestions are no failure: one can type on.
    meta: { anonymous: true },
    retry: false,
  });
  if (!isOpen) return { suggestions: [], isLoading: false };
  if (typed.key === null) {
    const suggestions = suggestTerms(typed.text, freeKeys(spec, text, typed));
    return { suggestions: suggestions.slice(0, SHOWN_MAX), isLoading: false };
  }
  const values = provider === undefined ? closedValues(key?.values) : (asked.data ?? []);
  const suggestions = suggestValues(typed.text, values).slice(0, SHOWN_MAX);
  const isTyped = suggestions.length === 1 && values.some(({ value }) => value === typed.text);
  return { suggestions: isTyped ? [] : suggestions, isLoading: provider !== undefined && asked.isLoading };
}

function closedValues(values: QuerySpec['keys'][number]['values']) {
  return typeof values === 'object' ? values : [];
}

/** The keys that may still be given: one that takes a single value, and has it, would be refused a second time. */
function freeKeys({ keys, rules }: QuerySpec, text: string, typed: Typed): QuerySpec['keys'] {
  const given = new Set(termsOf(text).flatMap(({ key, start }) => (key === null || start === typed.start ? [] : [key])));
  const lists = new Set(Object.values(rules.keys).flatMap(({ key, isList }) => (isList ? [key] : [])));
  return keys.filter(({ key }) => !given.has(key) || lists.has(key));
}
