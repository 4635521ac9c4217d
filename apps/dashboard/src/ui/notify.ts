import { validationText } from '@berth/core';
import { notifications } from '@mantine/notifications';
import { problemOf } from '../api/errors.ts';

/** A short confirmation that goes away by itself. */
export function notifyDone(message: string): void {
  notifications.show({ message, color: 'teal' });
}

/** A failure of something that the person asked for; `title` says what was not possible. */
export function notifyFailure(title: string, error: unknown): void {
  const { kind, message, detail, validations, requestId } = problemOf(error);
  const rules = validations.map(validationText);
  notifications.show({
    title,
    message: [message, detail, ...rules, kind === 'internal' && requestId !== '' ? `Request ${requestId}.` : '']
      .filter((part) => part !== '')
      .join(' '),
    color: 'red',
    autoClose: 10_000,
  });
}

const KEPT_NOTICE = 'berth-notice';

/** A confirmation that shows once the document has been loaded again. */
export function notifyAfterReload(message: string): void {
  try {
    sessionStorage.setItem(KEPT_NOTICE, message);
  } catch {
    // Without storage the page is loaded again without a word.
  }
}

/** Shows what was left before the document was loaded again. */
export function showKeptNotice(): void {
  try {
    const message = sessionStorage.getItem(KEPT_NOTICE);
    if (message === null) return;
    sessionStorage.removeItem(KEPT_NOTICE);
    notifyDone(message);
  } catch {
    // Nothing was left without storage.
  }
}
