import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import classes from './OpenTabs.module.css';

interface Props {
  readonly paths: readonly string[];
  readonly current: string | undefined;
  readonly changed: ReadonlySet<string>;
  readonly onOpen: (path: string) => void;
  readonly onClose: (path: string) => void;
}

/** The open files. A dot says that a file differs from the version that the work began with. */
export function OpenTabs({ paths, current, changed, onOpen, onClose }: Props): React.JSX.Element {
  return (
    <ul className={classes['tabs']} aria-label="Open files">
      {paths.map((path) => {
        const isChanged = changed.has(path);
        return (
          <li key={path} className={classes['tab']} data-current={path === current}>
            <button
              type="button"
              className={classes['name']}
              title={path}
              aria-current={path === current ? 'true' : undefined}
              onClick={() => onOpen(path)}
            >
              {shortName(path, paths)}
              {isChanged && <span className={classes['dot']} role="img" aria-label="changed" />}
            </button>
            <ActionIcon size={24} variant="subtle" color="gray" aria-label={`Close ${path}`} onClick={() => onClose(path)}>
              <IconX size={13} />
            </ActionIcon>
          </li>
        );
      })}
    </ul>
  );
}

/** The name of a file, with its folder where two open files have the same. */
function shortName(path: string, paths: readonly string[]): string {
  const nameOf = (one: string): string => one.slice(one.lastIndexOf('/') + 1);
  return paths.some((other) => other !== path && nameOf(other) === nameOf(path)) ? path.split('/').slice(-2).join('/') : nameOf(path);
}
