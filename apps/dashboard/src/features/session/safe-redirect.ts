import { localPath } from '@berth/core';

/** The path to go to after sign-in, if it is one of this dashboard that leads further: never another site's, and no way back to signing in. */
export function safeRedirect(target: unknown): string | undefined {
  const path = localPath(target);
  return path === undefined || /^\/(?:login|setup|reset-password)(?:[/?#]|$)/.test(path) ? undefined : path;
}
