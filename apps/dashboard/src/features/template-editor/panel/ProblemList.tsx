import { Anchor, List, Text } from '@mantine/core';
import type { Place } from '../build/places.ts';
import type { GoTo } from '../code/CodeEditor.tsx';

/** What is wrong, each with the way to its place. */
export function ProblemList({ places, onGoTo }: { places: readonly Place[]; onGoTo: (place: GoTo) => void }): React.JSX.Element {
  return (
    <List size="sm" listStyleType="none" spacing={6}>
      {places.map(({ path, line, message }, index) => (
        <List.Item key={`${path}:${line}:${index}`} className="wrap-anywhere">
          {path !== undefined && (
            <>
              <Anchor component="button" type="button" size="sm" fw={600} onClick={() => onGoTo({ path, line })}>
                {path}
                {line !== undefined && `:${line}`}
              </Anchor>{' '}
            </>
          )}
          <Text span size="sm">
            {message}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
