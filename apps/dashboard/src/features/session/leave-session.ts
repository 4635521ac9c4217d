import { searchText } from '../../ui/search-params.ts';

interface Options {
  /** Where to return after signing in again. */
  readonly redirect?: string;
  /** The server ended the session; the user did not sign out. */
  readonly expired?: true;
}

/**
 * Opens the sign-in page as a new document, so that nothing of the ended session stays in memory: no cached rows, no open forms, no
 * WebSocket that authenticated with the old cookie.
 */
export function leaveSession(options: Options = {}): void {
  // The browser may keep the old document for its Back button, with everything on it.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
  location.replace(`/login${searchText({ ...options })}`);
}
