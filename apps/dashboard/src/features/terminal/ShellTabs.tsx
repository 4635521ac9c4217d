import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import classes from './ShellTabs.module.css';

interface Props {
  /** What the tabs are called, in their order. */
  readonly labels: readonly string[];
  readonly active: number;
  /** The id of the element that shows the one in front. */
  readonly panelId: string;
  readonly isFull: boolean;
  readonly onShow: (index: number) => void;
  readonly onOpen: () => void;
  readonly onClose: (index: number) => void;
  readonly onRename: (index: number) => void;
  /** What can be done with the terminal in front. */
  readonly children: React.ReactNode;
}

/** The open terminals. Arrows move between them, Delete closes one, F2 renames it. */
export function ShellTabs({ labels, active, panelId, isFull, onShow, onOpen, onClose, onRename, children }: Props): React.JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const focus = useRef(false);
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    if (focus.current) tab?.focus();
    focus.current = false;
  }, [active, labels.length]);
  const move = (index: number): void => {
    focus.current = true;
    onShow((index + labels.length) % labels.length);
  };
  return (
    <div className={classes['bar']}>
      <div ref={list} className={classes['tabs']} role="tablist" aria-label="Terminals">
        {labels.map((label, index) => (
          <button
            key={index}
            type="button"
            role="tab"
            className={classes['tab']}
            aria-selected={index === active}
            aria-controls={index === active ? panelId : undefined}
            aria-keyshortcuts={`Control+Shift+${index + 1}`}
            tabIndex={index === active ? 0 : -1}
            title={label}
            onClick={(event) => {
              // The cross is for the mouse: whoever uses the keyboard presses Delete, so that no button lies within a tab.
              if (event.target instanceof Element && event.target.closest('[data-close]') !== null) onClose(index);
              else onShow(index);
            }}
            onDoubleClick={() => onRename(index)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowRight') move(index + 1);
              else if (event.key === 'ArrowLeft') move(index - 1);
              else if (event.key === 'Delete') onClose(index);
              else if (event.key === 'F2') onRename(index);
              else return;
              event.preventDefault();
            }}
          >
            <span className={classes['label']}>{label}</span>
            {labels.length > 1 && (
              <span className={classes['close']} data-close aria-hidden>
                <IconX size={12} />
              </span>
            )}
          </button>
        ))}
      </div>
      <Tooltip label={isFull ? 'Nine terminals are the most that fit' : 'New terminal (Ctrl+Shift+Enter)'}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label="New terminal"
          aria-disabled={isFull}
          data-disabled={isFull || undefined}
          onClick={onOpen}
        >
          <IconPlus size={16} />
        </ActionIcon>
      </Tooltip>
      <div className={classes['tools']}>{children}</div>
    </div>
  );
}
