import { ActionIcon } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import classes from './Chip.module.css';

interface ChipProps extends Omit<React.ComponentPropsWithRef<'button'>, 'value'> {
  readonly label: string;
  /** Empty for a filter that is not set. */
  readonly value: string;
  readonly onRemove: () => void;
}

/** One filter: a button to choose by, with its value, and one to take it away. */
export function Chip({ label, value, onRemove, ref, className = '', ...button }: ChipProps): React.JSX.Element {
  const isSet = value !== '';
  return (
    <span className={classes['chip']} data-set={isSet || undefined}>
      <button
        ref={ref}
        type="button"
        className={`${classes['choose'] ?? ''} ${className}`}
        {...button}
        disabled={button.onClick === undefined && button['aria-haspopup'] === undefined}
      >
        {isSet ? (
          <>
            <span className={classes['label']}>{label}:</span> <span className={classes['value']}>{value}</span>
          </>
        ) : (
          <>
            <IconPlus size={12} aria-hidden /> {label}
          </>
        )}
      </button>
      {isSet && (
        <ActionIcon size={22} variant="transparent" color="gray" aria-label={`Any ${label.toLowerCase()}`} onClick={onRemove}>
          <IconX size={12} />
        </ActionIcon>
      )}
    </span>
  );
}
