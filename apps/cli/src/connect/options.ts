import { choice, flag } from '../frame/declare.ts';
import type { ReadyOptions } from './ready-agent.ts';
import { WAIT_MODES } from './next-step.ts';
import type { WaitMode } from './next-step.ts';

/** For every command that connects to a workspace. */
export const READY_OPTIONS = {
  wait: choice('--wait <when>', 'Whether to wait for the start scripts; auto does what the template says', WAIT_MODES),
  noAutostart: flag('--no-autostart', 'Do not start a stopped workspace'),
  yes: flag('-y, --yes', 'Start it without asking, even if its last build failed'),
};

export function readyOptions(
  given: string,
  options: { readonly wait: WaitMode | undefined; readonly noAutostart: boolean; readonly yes: boolean },
): ReadyOptions {
  return { given, wait: options.wait ?? 'auto', mayStart: !options.noAutostart, isSure: options.yes };
}
