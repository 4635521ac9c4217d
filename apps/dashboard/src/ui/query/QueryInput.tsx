import { Box, CloseButton, Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useId, useLayoutEffect, useRef, useState } from 'react';
import classes from './QueryInput.module.css';
import type { QuerySpec } from './query-spec.ts';
import type { Suggestion } from './query-text.ts';
import { typedAt, withSuggestion } from './query-text.ts';
import { QueryMirror } from './QueryMirror.tsx';
import { QueryOptions } from './QueryOptions.tsx';
import { useQueryDraft } from './use-query-draft.ts';
import { useSuggestions } from './use-suggestions.ts';

const RULES_SHOWN = 3;

interface Props {
  /** What it searches: "Search workspaces". */
  readonly label: string;
  readonly placeholder: string;
  readonly spec: QuerySpec;
  /** What is searched now. */
  readonly q: string;
  /** Gets queries that keep to the rules of the language only. */
  readonly onSearch: (q: string) => void;
}

/**
 * A query of a search language in one line. It offers keys and values where the caret stands (arrows and Enter, or Tab for the first),
 * searches when typing pauses or on Enter, and says what is wrong at the very term, before anything is sent.
 */
export function QueryInput({ label, placeholder, spec, q, onSearch }: Props): React.JSX.Element {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [scroll, setScroll] = useState(0);
  const [active, setActive] = useState(-1);
  const [isOpen, setIsOpen] = useState(false);
  const draft = useQueryDraft(q, spec, onSearch);
  const { text, caret, problems } = draft;
  const lists = Object.values(spec.rules.keys).flatMap(({ key, isList }) => (isList ? [key] : []));
  const typed = typedAt(text, caret, (key) => lists.includes(key));
  const { suggestions, isLoading } = useSuggestions({ name: label, spec, text, typed, isOpen });
  const rules = [...new Set(problems.toSorted((a, b) => a.start - b.start).map(({ detail }) => detail))].slice(0, RULES_SHOWN);
  const hasProblem = rules.length > 0;
  const isShown = isOpen && (suggestions.length > 0 || isLoading);
  const store = useCombobox({ opened: isShown });

  // The caret of a controlled input jumps to its end when the text is not what was typed: it is put where it belongs.
  const wantedCaret = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return;
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current);
    wantedCaret.current = undefined;
  });

  const accept = (suggestion: Suggestion): void => {
    const next = withSuggestion(text, typed, suggestion);
    wantedCaret.current = next.caret;
    setActive(-1);
    draft.type(next.text, next.caret);
    input.current?.focus();
  };
  const close = (): void => {
    setIsOpen(false);
    setActive(-1);
  };
  const onKeyDown = (event: React.KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        event.preventDefault();
        if (!isShown) return setIsOpen(true);
        const count = suggestions.length;
        // Before the first and behind the last stands none, so that Enter searches.
        return setActive((before) => ((before + 1 + (event.key === 'ArrowDown' ? 1 : count)) % (count + 1)) - 1);
      }
      case 'Escape':
        if (!isShown) return;
        event.preventDefault();
        event.stopPropagation();
        return close();
      case 'Tab': {
        const chosen = suggestions[active] ?? (typed.text === '' ? undefined : suggestions[0]);
        if (!isShown || event.shiftKey || chosen === undefined) return close();
        event.preventDefault();
        return accept(chosen);
      }
      case 'Enter': {
        const chosen = suggestions[active];
        if (!isShown || chosen === undefined) return;
        event.preventDefault();
        return accept(chosen);
      }
      default:
        return;
    }
  };

  return (
    <form
      role="search"
      style={{ flex: 1, minWidth: 0 }}
      onSubmit={(event) => {
        event.preventDefault();
        draft.submit(text);
        close();
      }}
    >
      <Combobox store={store} withinPortal={false} position="bottom-start" width="target" offset={4}>
        <Combobox.DropdownTarget>
          <Box className={classes['field']}>
            <TextInput
              ref={input}
              type="search"
              role="combobox"
              aria-label={label}
              aria-autocomplete="list"
              aria-expanded={isShown}
              aria-controls={`${id}-options`}
              aria-activedescendant={active === -1 ? undefined : `${id}-${active}`}
              aria-invalid={hasProblem}
              aria-describedby={hasProblem ? `${id}-problem` : undefined}
              autoComplete="off"
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              maxLength={2000}
              placeholder={placeholder}
              leftSection={<IconSearch size={16} />}
              rightSection={
                text !== '' && (
                  <CloseButton
                    size="sm"
                    aria-label="Clear the search"
                    onClick={() => {
                      wantedCaret.current = 0;
                      draft.type('', 0);
                      draft.submit('');
                      input.current?.focus();
                    }}
                  />
                )
              }
              classNames={{ input: classes['input'] }}
              value={text}
              onChange={(event) => {
                const { value, selectionStart } = event.currentTarget;
                draft.type(value, selectionStart ?? value.length);
                setActive(-1);
                setIsOpen(true);
              }}
              onSelect={(event) => draft.moveCaret(event.currentTarget.selectionStart ?? text.length)}
              onScroll={(event) => setScroll(event.currentTarget.scrollLeft)}
              onClick={() => setIsOpen(true)}
              onKeyDown={onKeyDown}
              onBlur={() => {
                close();
                draft.leave();
              }}
            />
            <QueryMirror text={text} problems={problems} scroll={scroll} />
          </Box>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown p={4} hidden={!isShown}>
          <QueryOptions id={id} suggestions={suggestions} isLoading={isLoading} active={active} onAccept={accept} />
        </Combobox.Dropdown>
      </Combobox>
      <Text component="div" id={`${id}-problem`} role="status" size="xs" c="var(--mantine-color-error)" mt={hasProblem ? 4 : 0}>
        {rules.map((rule) => (
          <div key={rule}>{rule}</div>
        ))}
      </Text>
    </form>
  );
}
