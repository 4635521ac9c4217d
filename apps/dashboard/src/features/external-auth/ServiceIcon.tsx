import { IconPlug } from '@tabler/icons-react';
import { Picture } from '../../ui/Picture.tsx';

/** The picture of a service, a plug where it has none. Says nothing that the name beside it does not. */
export function ServiceIcon({ icon, size = 24 }: { icon: string; size?: number }): React.JSX.Element {
  return <Picture src={icon} size={size} fallback={<IconPlug size={size} aria-hidden />} />;
}
