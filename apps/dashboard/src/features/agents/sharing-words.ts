import type { SharingLevel } from '@berth/domain';

/** Who opens an app or a port, besides its owner. */
export const SHARING_WORDS: Readonly<Record<SharingLevel, string>> = {
  owner: 'Nobody else',
  authenticated: 'Everybody who is signed in',
  public: 'Everybody, without signing in',
};
