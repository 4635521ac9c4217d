import { IconLock } from '@tabler/icons-react';
import { EmptyState } from './EmptyState.tsx';

interface Props {
  /** What is closed: "The sync settings are not for your role". */
  readonly title: string;
  /** Whom it is for, and so whom to ask. */
  readonly children: React.ReactNode;
  readonly action?: React.ReactNode;
}

/** In place of something that the server would only refuse: whoever followed a link there is told why, and whom to ask. */
export function NotForYou({ title, children, action }: Props): React.JSX.Element {
  return (
    <EmptyState icon={<IconLock size={24} />} title={title} action={action}>
      {children}
    </EmptyState>
  );
}
