import { Kbd, Modal, Table, Text } from '@mantine/core';
import type { NavigationPlace } from './navigation.tsx';
import { useNavigation } from './navigation.tsx';

type Shortcut = readonly [keys: readonly string[], what: string];

const shortcuts = (places: readonly NavigationPlace[]): readonly Shortcut[] => [
  [['/'], 'Search on this page'],
  ...places.map(({ key, label }) => [['g', key], `Go to ${label}`] as const),
  [['n'], 'New workspace'],
  [['?'], 'Show or hide this sheet'],
  [['Esc'], 'Close what is open'],
];

/** What the keyboard can do. */
export function HelpSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): React.JSX.Element {
  const places = useNavigation();
  return (
    <Modal opened={isOpen} onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Table withRowBorders={false}>
        <Table.Tbody>
          {shortcuts(places).map(([keys, what]) => (
            <Table.Tr key={what}>
              <Table.Td w={110}>
                {keys.map((key, index) => (
                  <span key={key}>
                    {index > 0 && (
                      <Text span size="xs" c="dimmed" mx={4}>
                        then
                      </Text>
                    )}
                    <Kbd>{key}</Kbd>
                  </span>
                ))}
              </Table.Td>
              <Table.Td>{what}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
