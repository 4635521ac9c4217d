import { randomUUID } from 'node:crypto';
import { forbidden, invalidField } from '@berth/core';
import { hashToken, tokenMatches } from '@berth/core/secrets';
import { sameText } from '@berth/db';
import { passwordProblem } from '@berth/domain';
import type { z } from 'zod';
import { writeAuditRow } from '../kernel/audit.ts';
import type { RequestFacts, Services } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';
import type { ChangePasswordWithPasscode } from './contract.ts';
import { replacePassword } from './replace-password.ts';

const PASSCODE_MINUTES = 20;
/** A mail server that takes longer has failed. */
const SENDING_MS = 30_000;
/** Requests that are worked on at the same time; more of them come only from somebody who means harm. */
const MAX_UNDERWAY = 100;

let underway = 0;

/**
 * Begins to send a passcode to whoever has the address, and answers without waiting: found or not, the answer is the same and comes
 * after the same time. What fails is in the log.
 */
export async function requestPasscode(call: Pick<Call, 'services' | 'request'>, { email }: { email: string }): Promise<void> {
  const { services, request } = call;
  requirePasswords(services);
  await services.loginLimit.consume(request.ip);
  await services.loginLimit.consume(`passcode for ${email.toLowerCase()}`);
  if (underway >= MAX_UNDERWAY) {
    services.log.warn({ request_id: request.requestId }, 'too many passcodes are being sent; one that was asked for is left out');
    return;
  }
  underway += 1;
  sendPasscode(services, { email, request })
    .catch((error: unknown) => services.log.error({ err: error, request_id: request.requestId }, 'a passcode could not be sent'))
    .finally(() => (underway -= 1));
}

/**
 * Makes a passcode for the account with this address, in place of any earlier one, and sends it; resolves when the mail server has it.
 * Nothing happens for an address without an account, and for an account that is suspended or does not sign in with a password.
 */
export async function sendPasscode(
  services: Services,
  { email, request }: { readonly email: string; readonly request: RequestFacts },
): Promise<void> {
  const { mailer, log } = services;
  if (!mailer.isConfigured) {
    log.warn({ request_id: request.requestId }, 'a passcode was asked for, but this deployment has no mail server to send it');
    return;
  }
  const passcode = randomUUID();
  const user = await storePasscode(services, { email, request, passcode });
  if (user === null) return;
  const { accessUrl } = services.settings;
  const timeout = AbortSignal.timeout(SENDING_MS);
  await Promise.race([
    mailer.send({
      to: user.email,
      subject: 'Reset your password',
      text: [
        `Somebody, probably you, wants to set a new password for the account ${user.username} at ${accessUrl}.`,
        `Open ${accessUrl}/reset-password?email=${encodeURIComponent(user.email)} and enter this passcode within ${PASSCODE_MINUTES} minutes:`,
        passcode,
        'If it was not you, ignore this message: your password stays as it is.',
      ].join('\n\n'),
    }),
    new Promise<never>((_, reject) => {
      timeout.addEventListener('abort', () => reject(new Error('the mail server did not take the message in time')), { once: true });
    }),
  ]);
}

async function storePasscode(
  services: Services,
  { email, request, passcode }: { readonly email: string; readonly request: RequestFacts; readonly passcode: string },
): Promise<{ email: string; username: string } | null> {
  const expiresAt = new Date(services.clock.now().getTime() + PASSCODE_MINUTES * 60_000);
  return services.prisma.$transaction(async (db) => {
    const user = await db.user.findFirst({
      where: { email: sameText(email), deleted: false, loginType: 'password', status: { not: 'suspended' } },
      select: { id: true, email: true, username: true, oneTimePasscodeExpiresAt: true },
    });
    if (user === null) return null;
    await db.user.update({
      where: { id: user.id },
      data: { oneTimePasscodeHash: hashToken(passcode), oneTimePasscodeExpiresAt: expiresAt },
      select: { id: true },
    });
    await writeAuditRow(db, {
      resource: 'user',
      action: 'request_password_reset',
      resourceId: user.id,
      target: user.username,
      userId: null,
      statusCode: 204,
      request,
      before: { one_time_passcode_expires_at: user.oneTimePasscodeExpiresAt },
      after: { one_time_passcode_expires_at: expiresAt },
    });
    return user;
  });
}

/**
 * Sets a new password for whoever shows the passcode of the account, once, and ends every session and token of it. An unknown address,
 * a wrong passcode, a spent one and one that expired get the same answer.
 */
export async function changePasswordWithPasscode(call: Call, input: z.output<typeof ChangePasswordWithPasscode>): Promise<void> {
  const { db, services } = call;
  requirePasswords(services);
  await services.loginLimit.consume(call.request.ip);
  const problem = passwordProblem(input.password);
  if (problem !== null) throw invalidField('password', problem);
  const user = await db.user.findFirst({
    where: { email: sameText(input.email), deleted: false, loginType: 'password', status: { not: 'suspended' } },
    select: { id: true, username: true, passwordHash: true, oneTimePasscodeHash: true, oneTimePasscodeExpiresAt: true },
  });
  const hash = user?.oneTimePasscodeHash ?? null;
  const isRight = tokenMatches(input.one_time_passcode.toLowerCase(), hash ?? hashToken(randomUUID()));
  if (user === null || hash === null || !isRight || (user.oneTimePasscodeExpiresAt ?? new Date(0)) <= services.clock.now()) {
    throw wrongPasscode();
  }
  // Named only now: a row in the log for every wrong guess would take time that tells which addresses have an account.
  call.audit.set({ resourceId: user.id, target: user.username, actorId: user.id });
  const { count } = await db.user.updateMany({
    where: { id: user.id, oneTimePasscodeHash: hash },
    data: { oneTimePasscodeHash: null, oneTimePasscodeExpiresAt: null },
  });
  if (count !== 1) throw wrongPasscode();
  await replacePassword(call, { userId: user.id, currentHash: user.passwordHash, password: input.password });
}

function wrongPasscode(): Error {
  return invalidField('one_time_passcode', 'is wrong, was used, or has expired: ask for a new one');
}

function requirePasswords({ settings }: Pick<Services, 'settings'>): void {
  if (!settings.signOn.password_enabled) throw forbidden('This deployment does not let people sign in with a password.');
}
