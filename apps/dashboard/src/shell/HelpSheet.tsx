import { Box, Group, Modal, SimpleGrid, Text, Title } from '@mantine/core';
import { useDevicePreferences } from '../ui/device-preferences.ts';
import { Keys } from '../ui/Keys.tsx';
import { AnchorLink } from '../ui/links.tsx';
import { useNavigation } from './navigation.tsx';
import { bySection, shortcuts } from './shortcuts.ts';
import { MODIFIER } from './use-shortcuts.ts';

/** What the keyboard can do. */
export function HelpSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.JSX.Element {
  const places = useNavigation();
  const { plainKeys } = useDevicePreferences();
  const shown = shortcuts(places, MODIFIER).filter(({ isPlain }) => plainKeys || !isPlain);
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" size="lg" closeButtonProps={{ 'aria-label': 'Close' }}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl" verticalSpacing="lg">
        {bySection(shown).map(([section, rows]) => (
          <Box key={section} component="section" aria-label={section}>
            <Title order={3} size="sm" mb={6}>
              {section}
            </Title>
            <Box component="dl" m={0}>
              {rows.map(({ keys, what }) => (
                <Group key={what} justify="space-between" wrap="nowrap" py={4} gap="sm">
                  <Text component="dt" size="sm">
                    {what}
                  </Text>
                  <Box component="dd" m={0} style={{ flex: 'none' }}>
                    <Keys keys={keys} />
                  </Box>
                </Group>
              ))}
            </Box>
          </Box>
        ))}
      </SimpleGrid>
      <Text size="sm" c="dimmed" mt="lg">
        {plainKeys ? 'Single keys in your way? Turn them off' : 'Shortcuts of single keys are off. Turn them on'} in{' '}
        <AnchorLink to="/account/appearance" inherit underline="always" onClick={onClose}>
          Account, Appearance
        </AnchorLink>
        .
      </Text>
    </Modal>
  );
}
