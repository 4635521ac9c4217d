import { Avatar } from '@mantine/core';

/** The icon of a template, or its first letters. Says nothing that the name beside it does not. */
export function TemplateIcon({ icon, name, size = 34 }: { icon: string; name: string; size?: number }): React.JSX.Element {
  return (
    <Avatar
      src={icon === '' ? null : icon}
      name={name.replaceAll('-', ' ')}
      alt=""
      aria-hidden
      color="harbour"
      radius="md"
      size={size}
      imageProps={{ style: { objectFit: 'contain', padding: 3 } }}
    />
  );
}
