import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { Secret } from '@berth/core';
import { SMTPServer } from 'smtp-server';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createMailer } from './mailer.ts';

interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly text: string;
  readonly user: string;
}

/** A mail server in this process that keeps what it takes. It refuses the recipients in `unknown`. */
async function mailServer({ unknown = [] }: { readonly unknown?: readonly string[] } = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username = '', password }, _, done) => done(password === 'secret' ? null : new Error('no'), { user: username }),
    onRcptTo: ({ address }, _, done) => done(unknown.includes(address) ? new Error('no such mailbox') : null),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        received.push({
          from,
          to: envelope.rcptTo.map(({ address }) => address),
          text: Buffer.concat(chunks).toString(),
          user: user ?? '',
        });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as AddressInfo;
  return { received, port };
}

const from = 'Berth <berth@example.com>';
const mail = { to: 'ada@example.com', subject: 'Reset your password', text: 'Your passcode is 1234.\n\nIt is good for a while.' };

describe('the mailer', () => {
  it('hands a message to the mail server as plain text, from the configured address, signed in as the address says', async () => {
    const { received, port } = await mailServer();
    const mailer = createMailer({ smtp_url: new Secret(`smtp://berth:secret@127.0.0.1:${port}`), from });
    expect(mailer.isConfigured).toBe(true);
    await mailer.send(mail);
    expect(received).toMatchObject([{ from: 'berth@example.com', to: ['ada@example.com'], user: 'berth' }]);
    const text = received[0]?.text ?? '';
    expect(text).toMatch(/^From: Berth <berth@example.com>\r$/m);
    expect(text).toMatch(/^Subject: Reset your password\r$/m);
    expect(text).toMatch(/^Content-Type: text\/plain/m);
    expect(text).toContain('Your passcode is 1234.');
  });

  it('sends to one address whatever text stands in its place', async () => {
    const { received, port } = await mailServer();
    const mailer = createMailer({ smtp_url: new Secret(`smtp://127.0.0.1:${port}`), from });
    for (const to of [
      'ada@example.com, eve@example.com',
      'ada@example.com\r\nBcc: eve@example.com',
      '"a" <eve@example.com>, ada@example.com',
    ]) {
      await mailer.send({ ...mail, to }).catch(() => undefined);
    }
    await mailer.send({ ...mail, subject: 'Hello\r\nBcc: eve@example.com' });
    expect(received.length).toBeGreaterThan(0);
    for (const { to, text } of received) {
      expect(to).toHaveLength(1);
      expect(to).not.toContain('eve@example.com');
      expect(text).not.toMatch(/^Bcc:/im);
    }
  });

  it('says when the mail server does not take a message', async () => {
    const { received, port } = await mailServer({ unknown: ['ada@example.com'] });
    const send = (credentials: string) => createMailer({ smtp_url: new Secret(`smtp://${credentials}127.0.0.1:${port}`), from }).send(mail);
    await expect(send('')).rejects.toThrow('no such mailbox');
    await expect(send('berth:wrong@')).rejects.toThrow('Invalid login');
    expect(received).toEqual([]);
  });

  it('does not wait for a mail server that says nothing', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      silent.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as AddressInfo;
    const mailer = createMailer({ smtp_url: new Secret(`smtp://127.0.0.1:${port}`), from }, { timeoutMs: 50 });
    await expect(mailer.send(mail)).rejects.toThrow(/greeting|timeout/i);
  });

  it('without settings says that there is none', async () => {
    const mailer = createMailer(null);
    expect(mailer.isConfigured).toBe(false);
    await expect(mailer.send(mail)).rejects.toThrow('no mail server');
  });
});
