/** One message to one person, as plain text. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail by the deployment's own server. */
export interface Mailer {
  /** False when the deployment has no mail server: then `send` must not be called. */
  readonly isConfigured: boolean;
  /** Resolves when the mail server took the message; rejects when it did not within its timeout. */
  send(mail: Mail): Promise<void>;
}
