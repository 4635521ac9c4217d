import { notifyDone, notifyFailure } from '../../ui/notify.ts';

/** Puts a text on the clipboard and says so. */
export function copyText(text: string): void {
  navigator.clipboard.writeText(text).then(
    () => notifyDone(`Copied: ${text}`),
    (error: unknown) => notifyFailure('Your browser did not let it be copied', error),
  );
}
