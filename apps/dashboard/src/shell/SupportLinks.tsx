import { Menu } from '@mantine/core';
import { IconBook2, IconBug, IconMessageCircle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { appearanceQuery } from '../features/appearance/brand.ts';

const ICONS = { bug: <IconBug size={16} />, chat: <IconMessageCircle size={16} />, docs: <IconBook2 size={16} /> } as const;

/** Where people of this deployment find help, as its settings say. */
export function SupportLinks(): React.JSX.Element {
  const { data } = useQuery(appearanceQuery());
  const docs = data === undefined || data.docs_url === '' ? [] : [{ name: 'Documentation', target: data.docs_url, icon: 'docs' as const }];
  return (
    <>
      {[...docs, ...(data?.support_links ?? [])].map(({ name, target, icon }) => (
        <Menu.Item key={`${name}:${target}`} leftSection={ICONS[icon]} component="a" href={target} target="_blank" rel="noreferrer">
          {name}
        </Menu.Item>
      ))}
    </>
  );
}
