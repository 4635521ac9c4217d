import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

/** A mail server of the test's own that keeps what it takes. */
export interface Mailbox {
  /** For BERTH_SMTP_URL. */
  readonly url: string;
  /** The text of the next message to `address` that has come since the last one was read; waits for it. */
  next(address: string): Promise<string>;
  close(): Promise<void>;
}

const WAIT_MS = 15_000;

export async function startMailbox(): Promise<Mailbox> {
  const messages: { to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        messages.push({ to: envelope.rcptTo.map(({ address }) => address), text: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `smtp://127.0.0.1:${port}`,
    next: async (recipient) => {
      const deadline = Date.now() + WAIT_MS;
      while (Date.now() < deadline) {
        const at = messages.findIndex(({ to }) => to.includes(recipient));
        const [found] = at === -1 ? [] : messages.splice(at, 1);
        if (found !== undefined) return found.text;
        await sleep(50);
      }
      throw new Error(`No mail came for ${recipient} within ${WAIT_MS / 1000} seconds.`);
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
