import { Suspense, lazy } from 'react';
import { whenReachable } from '../api/reachability.ts';
import { palette, useIsPaletteOpen } from '../features/commands/registry.ts';

const load = () => whenReachable(() => import('../features/commands/CommandPalette.tsx'));
const CommandPalette = lazy(() => load().then((module) => ({ default: module.CommandPalette })));

/** Gets the palette while it is on its way to be opened. A failure shows when it is. */
export function preparePalette(): void {
  load().catch(() => undefined);
}

/** The command palette, which is loaded when it is first wanted. */
export function PaletteHost({ onHelp }: { onHelp: () => void }): React.JSX.Element | null {
  if (!useIsPaletteOpen()) return null;
  return (
    <Suspense fallback={null}>
      <CommandPalette onClose={palette.close} onHelp={onHelp} />
    </Suspense>
  );
}
