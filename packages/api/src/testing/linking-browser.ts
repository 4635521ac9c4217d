import { newId } from '@berth/core';
import type { PrismaClient } from '@berth/db';
import { attemptCookieName } from '../auth/attempt.ts';
import { externalAuthPurpose } from '../external-auth/link-account.ts';
import type { Principal, Services } from '../kernel/context.ts';
import { appRouter } from '../router.ts';
import type { FakeCodeHost } from './fake-code-host.ts';
import { userPrincipal } from './index.ts';

type Caller = ReturnType<typeof appRouter.createCaller>;

export interface LinkingBrowser {
  readonly caller: Caller['externalAuth'];
  /** The sealed cookie of the attempt that this browser began, empty without one. */
  attemptOf(providerId: string): string;
  /** Links an account the whole way: begins, consents at the host, comes back. */
  link(host: FakeCodeHost, providerId: string, redirect?: string): Promise<{ redirect: string }>;
}

export interface BrowserOptions {
  readonly prisma: PrismaClient;
  readonly services: Services;
  /** Asked at each call; the user as the database has it, unless given. */
  readonly authenticate?: () => Promise<Principal>;
}

/** A browser in which a user is signed in, as far as linking accounts goes: it keeps cookies. */
export function linkingBrowser({ prisma, services, authenticate }: BrowserOptions, userId: string): LinkingBrowser {
  const cookies = new Map<string, string>();
  const { externalAuth: caller } = appRouter.createCaller({
    services,
    authenticate: authenticate ?? (() => userPrincipal(prisma, userId)),
    request: { requestId: newId(), ip: '192.0.2.1', userAgent: 'browser' },
    response: { setCookie: ({ name, value }) => void cookies.set(name, value) },
  });
  const attemptOf = (providerId: string): string =>
    cookies.get(attemptCookieName(services.settings, externalAuthPurpose(providerId))) ?? '';
  return {
    caller,
    attemptOf,
    async link(host, externalauth, redirect) {
      const { url } = await caller.begin({ externalauth, redirect });
      const { searchParams } = host.consent(url);
      return caller.complete({
        externalauth,
        attempt: attemptOf(externalauth),
        code: searchParams.get('code') ?? '',
        state: searchParams.get('state') ?? '',
      });
    },
  };
}
