import type { Mailer } from '@berth/api/server';
import type { Transporter } from 'nodemailer';
import type { ConfigFile } from './config-file.ts';

const TIMEOUT_MS = 10_000;

/** A mailer for the deployment's SMTP server, or one that says that there is none. Every wait is bounded: to ten seconds, unless told. */
export function createMailer(
  settings: ConfigFile['mail'] | null,
  { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {},
): Mailer {
  if (settings === null || settings === undefined) {
    return { isConfigured: false, send: () => Promise.reject(new Error('this deployment has no mail server')) };
  }
  const url = settings.smtp_url.reveal();
  let transport: Promise<Transporter> | undefined;
  // Only with the first mail: most servers send none, and it takes memory.
  const open = async (): Promise<Transporter> => {
    const { createTransport } = await import('nodemailer');
    return createTransport({ url, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs });
  };
  return {
    isConfigured: true,
    send: async ({ to, subject, text }) => {
      transport ??= open();
      await (await transport).sendMail({ from: settings.from, to: { name: '', address: to }, subject, text });
    },
  };
}
