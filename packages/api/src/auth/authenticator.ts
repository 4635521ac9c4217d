import type { Clock } from '@berth/core';
import { isUuid } from '@berth/core';
import { hashToken, tokenMatches } from '@berth/core/secrets';
import type { Bus, PrismaClient } from '@berth/db';
import { findAgentByToken } from '../agents/find-agent-by-token.ts';
import { authChannel } from '../kernel/channels.ts';
import type { Log, Principal, ProvisionerPrincipal, Settings, UserPrincipal } from '../kernel/context.ts';
import { KeyUses } from './key-uses.ts';
import type { KnownKey } from './known-key.ts';
import { loadKey, touchKey } from './known-key.ts';
import { parseApiKey } from './sessions.ts';

/** Turns a credential into a principal. Deleted or suspended accounts and expired or revoked keys are nobody. */
export interface Authenticator {
  /** An API key `<id>-<secret>` or an agent's token (a UUID); null when it is not valid now. */
  byToken(token: string, ip: string): Promise<Principal | null>;
  byProvisionerKey(key: string): Promise<ProvisionerPrincipal | null>;
  /** Writes when the keys that were used since the last call were used. Answers how many they are. */
  flushUses(): Promise<number>;
  /** Forgets what this process knows of a user, at once; other replicas hear of it through the bus. */
  forgetUser(userId: string): void;
}

/** A bound, so that a flood of made-up keys cannot grow the process: unknown keys are never kept. */
const MAX_KNOWN_KEYS = 10_000;
/** News can be lost while the connection is down; an entry is never trusted longer than this. */
const MAX_AGE_MS = 30_000;
/** A request waits for its use to be written when the last write is this old, as it is at the first use; all others are written later. */
const TOUCH_EVERY_MS = 3_600_000;

export interface AuthenticatorOptions {
  readonly prisma: PrismaClient;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings: Pick<Settings, 'builtinProvisionerKey'>;
}

interface Entry {
  readonly known: KnownKey;
  readonly principal: UserPrincipal;
  readonly loadedAt: number;
}

/**
 * The authenticator of one process. It keeps what it read of a key until news says that the key, its user, or the user's roles
 * or groups changed; while no news can arrive it reads each time.
 */
export class CachingAuthenticator implements Authenticator {
  readonly #entries = new Map<string, Entry>();
  readonly #uses = new KeyUses();
  /** Grows with all news, so that what was read before some news is not kept after it. */
  #news = 0;
  readonly #options: AuthenticatorOptions;

  constructor(options: AuthenticatorOptions) {
    this.#options = options;
    options.bus.subscribe(authChannel, ({ user_id }) => this.forgetUser(user_id));
    options.bus.onReconnect(() => {
      this.#news += 1;
      this.#entries.clear();
    });
  }

  forgetUser(userId: string): void {
    this.#news += 1;
    for (const [id, entry] of this.#entries) {
      if (entry.principal.userId === userId) this.#entries.delete(id);
    }
  }

  async flushUses(): Promise<number> {
    return await this.#uses.flush(this.#options.prisma);
  }

  async byToken(token: string, ip: string): Promise<Principal | null> {
    if (isUuid(token)) return findAgentByToken(this.#options.prisma, token);
    const key = parseApiKey(token);
    if (key === null) return null;
    const now = this.#options.clock.now().getTime();
    const entry = this.#fresh(key.id, now) ?? (await this.#load(key.id, now));
    if (entry === null || !tokenMatches(key.secret, entry.known.hashedSecret)) return null;
    if (entry.known.expiresAt <= now || entry.known.absoluteExpiresAt <= now) return null;
    if (now - entry.known.lastWrittenAt >= TOUCH_EVERY_MS || entry.known.status === 'dormant') {
      this.#entries.delete(key.id);
      await touchKey(this.#options.prisma, entry.known, { now, ip });
    } else {
      this.#uses.note({ keyId: key.id, userId: entry.known.userId, at: now, ip });
    }
    return entry.principal;
  }

  async byProvisionerKey(key: string): Promise<ProvisionerPrincipal | null> {
    const { prisma, settings } = this.#options;
    const builtin = settings.builtinProvisionerKey.reveal();
    if (builtin !== '' && tokenMatches(key, hashToken(builtin))) {
      const organization = await prisma.organization.findFirst({ where: { isDefault: true }, select: { id: true } });
      return organization === null ? null : { kind: 'provisioner', organizationId: organization.id, keyId: null, tags: {} };
    }
    const row = await prisma.provisionerKey.findUnique({
      where: { hashedSecret: hashToken(key) },
      select: { id: true, organizationId: true, tags: true },
    });
    if (row === null) return null;
    const tags = typeof row.tags === 'object' && row.tags !== null ? Object.entries(row.tags) : [];
    return {
      kind: 'provisioner',
      organizationId: row.organizationId,
      keyId: row.id,
      tags: Object.fromEntries(tags.filter((tag): tag is [string, string] => typeof tag[1] === 'string')),
    };
  }

  #fresh(id: string, now: number): Entry | null {
    if (!this.#options.bus.connected) return null;
    const entry = this.#entries.get(id);
    return entry !== undefined && now - entry.loadedAt < MAX_AGE_MS ? entry : null;
  }

  async #load(id: string, now: number): Promise<Entry | null> {
    const { prisma, bus } = this.#options;
    const news = this.#news;
    const known = await loadKey(prisma, id);
    if (known === null) return null;
    const principal: UserPrincipal = {
      kind: 'user',
      userId: known.userId,
      username: known.username,
      keyId: id,
      subject: known.subject,
    };
    const entry = { known, principal, loadedAt: now };
    // While it was read its user may have changed, and nobody would tell of it again.
    if (news !== this.#news || !bus.connected) return entry;
    if (this.#entries.size >= MAX_KNOWN_KEYS) this.#entries.clear();
    this.#entries.set(id, entry);
    return entry;
  }
}
