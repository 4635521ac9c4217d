import type { Clock } from '@berth/core';
import { newId } from '@berth/core';
import { SealError } from '@berth/core/sealer';
import type { Sealer } from '@berth/core/sealer';
import { z } from 'zod';
import { SIGN_ON_KINDS } from './contract.ts';
import type { SignOnKind } from './contract.ts';
import { SignOnRefusal } from './refusal.ts';

const CONVERSION_MS = 5 * 60_000;
const PREFIX = 'convert-';
const SEALED_FOR = 'convert_login';

const Conversion = z.object({ id: z.string(), userId: z.string(), toType: z.enum(SIGN_ON_KINDS), expiresAt: z.number() });
export type Conversion = z.output<typeof Conversion>;

type Parts = { readonly sealer: Sealer; readonly clock: Clock };

/** Leave for `userId`, who has just proved their password, to change over to `toType` within five minutes. */
export function sealConversion(
  { sealer, clock }: Parts,
  { userId, toType }: { userId: string; toType: SignOnKind },
): { state: string; expiresAt: Date } {
  const expiresAt = new Date(clock.now().getTime() + CONVERSION_MS);
  const conversion: Conversion = { id: newId(), userId, toType, expiresAt: expiresAt.getTime() };
  return { state: PREFIX + Buffer.from(sealer.seal(JSON.stringify(conversion), SEALED_FOR)).toString('base64url'), expiresAt };
}

/** What `sealConversion` gave out. Throws `convert_expired` for anything else, and when its time is over. */
export function openConversion({ sealer, clock }: Parts, state: string): Conversion {
  let text: string;
  try {
    text = sealer.open(Buffer.from(state.slice(PREFIX.length), 'base64url'), SEALED_FOR);
  } catch (error) {
    if (error instanceof SealError) throw new SignOnRefusal('convert_expired', error);
    throw error;
  }
  const conversion = Conversion.parse(JSON.parse(text));
  if (!state.startsWith(PREFIX) || conversion.expiresAt <= clock.now().getTime()) throw new SignOnRefusal('convert_expired');
  return conversion;
}
