import { ScrollArea, Text } from '@mantine/core';
import classes from './QueryInput.module.css';
import type { Suggestion } from './query-text.ts';

interface Props {
  /** Of the input: its options are named by it. */
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly isLoading: boolean;
  /** -1 for none. */
  readonly active: number;
  readonly onAccept: (suggestion: Suggestion) => void;
}

/** What may be put in. The input keeps the focus and says which of them is meant. */
export function QueryOptions({ id, suggestions, isLoading, active, onAccept }: Props): React.JSX.Element {
  return (
    <ScrollArea.Autosize mah={320} viewportProps={{ tabIndex: -1 }}>
      <div role="listbox" id={`${id}-options`} aria-label="Suggestions" aria-busy={isLoading}>
        {suggestions.map((suggestion, index) => (
          <button
            key={suggestion.insert}
            type="button"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: 'nearest' });
            }}
            role="option"
            id={`${id}-${index}`}
            aria-selected={index === active}
            tabIndex={-1}
            className={classes['option']}
            // The input keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onAccept(suggestion)}
          >
            <span className={classes['insert']}>{suggestion.insert}</span>
            <span className={classes['hint']}>{suggestion.hint}</span>
          </button>
        ))}
      </div>
      {isLoading && suggestions.length === 0 && (
        <Text size="sm" c="dimmed" px={10} py={6}>
          Looking…
        </Text>
      )}
    </ScrollArea.Autosize>
  );
}
