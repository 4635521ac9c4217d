import { Box, SimpleGrid, Text } from '@mantine/core';
import { Fragment } from 'react';

/** Names and values side by side, under each other on a narrow screen. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: React.ReactNode])[] }): React.JSX.Element {
  return (
    <SimpleGrid component="dl" cols={{ base: 1, sm: 2, lg: 3 }} spacing="md" m={0}>
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <Box miw={0}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" size="sm" m={0} className="wrap-anywhere">
              {value}
            </Text>
          </Box>
        </Fragment>
      ))}
    </SimpleGrid>
  );
}
