import { access, open } from 'node:fs/promises';
import path from 'node:path';

const MESSAGE_MAX = 64 * 1024;

/** The text that greets people at an interactive login; empty when there is none, or when they have a `.hushlogin` in their home. */
export async function messageOfTheDay(file: string, home: string): Promise<string> {
  if (file === '') return '';
  const isHushed = await access(path.join(home, '.hushlogin')).then(
    () => true,
    () => false,
  );
  if (isHushed) return '';
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(MESSAGE_MAX) });
      const text = buffer.toString('utf8', 0, bytesRead).replaceAll(/\r?\n/g, '\r\n');
      return text === '' || text.endsWith('\n') ? text : `${text}\r\n`;
    } finally {
      await handle.close();
    }
  } catch {
    return '';
  }
}
