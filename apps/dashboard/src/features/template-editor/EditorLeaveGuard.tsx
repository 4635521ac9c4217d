import { LeaveGuard } from '../../ui/LeaveGuard.tsx';

interface Props {
  /** Whether there are changes that could get lost, asked when the user leaves. */
  readonly isUnfinished: () => boolean;
  /** Whether this device keeps them. */
  readonly isKept: boolean;
}

/** Asks before the user leaves the editor with unpublished changes. */
export function EditorLeaveGuard({ isUnfinished, isKept }: Props): React.JSX.Element {
  return (
    <LeaveGuard
      isUnfinished={isUnfinished}
      isUnloadGuarded={() => isUnfinished() && !isKept}
      title="Leave the editor?"
      leave="Leave"
      isLoss={!isKept}
    >
      {isKept
        ? 'Your changes are not published. This device keeps them, and the editor of this version continues with them.'
        : 'Your changes are not published, and they are too large for this device to keep. If you leave, they are lost.'}
    </LeaveGuard>
  );
}
