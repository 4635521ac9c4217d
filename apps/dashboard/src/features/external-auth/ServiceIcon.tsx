import { IconPlug } from '@tabler/icons-react';

/** The picture of a service. Says nothing that the name beside it does not. */
export function ServiceIcon({ icon, size = 24 }: { icon: string; size?: number }): React.JSX.Element {
  if (icon === '') return <IconPlug size={size} aria-hidden />;
  return <img src={icon} alt="" width={size} height={size} style={{ objectFit: 'contain' }} />;
}
