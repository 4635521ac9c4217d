/** Why a page could not be shown: a call failed, a part of the page did not load, or our own code is at fault. */
export type PageFailure = 'call' | 'part' | 'fault';

// Each browser says it in its own words.
const PART_FAILED = /dynamically imported module|importing a module script failed|preload css|module script/i;

/** Parts of a page are files with their version in the name: after an update those of a page that is still open are gone. */
export function failureOf(error: unknown): PageFailure {
  if (error instanceof Error) {
    if (PART_FAILED.test(error.message)) return 'part';
    // What a call throws carries what the server said, or at least that nothing was heard of it.
    return 'data' in error || error.name === 'TRPCClientError' ? 'call' : 'fault';
  }
  return 'fault';
}
