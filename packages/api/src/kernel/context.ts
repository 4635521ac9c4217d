import type { Clock, Secret } from '@berth/core';
import type { Sealer } from '@berth/core/sealer';
import type { Bus, PrismaClient } from '@berth/db';
import type { ScheduleRule, WildcardHost } from '@berth/domain';
import type { Subject } from '@berth/rbac';
import type { Activity } from '../activity/activity.ts';
import type { Traffic } from '../deployment-stats/traffic.ts';
import type { Authenticator } from '../auth/authenticator.ts';
import type { SupportLink } from '../appearance/contract.ts';
import type { DeploymentSetting } from '../deployment/setting.ts';
import type { ExternalAuthProvider } from '../external-auth/settings.ts';
import type { SignOnSettings } from '../sign-on/settings.ts';
import type { Disk } from './disk.ts';
import type { Mailer } from './mailer.ts';
import type { RateLimit } from './rate-limits.ts';
import type { TunnelRegistry } from '../agents/tunnel-registry.ts';

/** A server process among those that share one database. */
export interface ReplicaSettings {
  readonly id: string;
  readonly hostname: string;
  /** Where the other replicas reach this process, without a trailing slash; empty when they cannot. */
  readonly relayUrl: string;
}

/** What may be done with apps that have only a path: they share their origin with the dashboard, so all of it is a risk. */
export interface PathAppSettings {
  readonly isEnabled: boolean;
  /** Opens path apps to others than the workspace's owner, as far as their sharing level says. */
  readonly allowsSharing: boolean;
  /** Lets owners of the deployment open the path apps of everybody. */
  readonly allowsSiteOwners: boolean;
}

/** The settings that services read. Made once by `apps/server`. */
export interface Settings {
  /** Where people and agents reach this server, without a trailing slash. */
  readonly accessUrl: string;
  readonly version: string;
  readonly deploymentId: string;
  /** Folder of the starter templates that ship with the server. */
  readonly templatesDir: string;
  /** Signs CSRF tokens. */
  readonly csrfKey: Uint8Array;
  /** The secret that all replicas of the deployment share: 32 bytes, from which each use derives a key of its own (`derivedKey`). */
  readonly deploymentKey: Uint8Array;
  /** This process among those that share the database. */
  readonly replica: ReplicaSettings;
  /** The domain whose names are apps, `*.apps.example.com`; null: apps have only paths. */
  readonly wildcardHost: WildcardHost | null;
  readonly pathApps: PathAppSettings;
  /** The random secret of the provisioner daemon that this server starts itself. */
  readonly builtinProvisionerKey: Secret;
  /** Lets owners rename workspaces; off by default, since scripts inside may hold the old name. */
  readonly allowWorkspaceRenames: boolean;
  /** When quiet hours begin for users who chose none: a daily cron with its zone. */
  readonly quietHoursDefault: string;
  /** Whether users may choose quiet hours of their own. */
  readonly allowCustomQuietHours: boolean;
  readonly signOn: SignOnSettings;
  readonly externalAuth: readonly ExternalAuthProvider[];
  /** The bearer token of the identity provider that calls SCIM; null: SCIM is off. */
  readonly scimToken: Secret | null;
  /** The deployment’s own documentation; empty: none. */
  readonly docsUrl: string;
  /** Where people find help. */
  readonly supportLinks: readonly SupportLink[];
  /** Every setting of the process, as administrators may read it. */
  readonly options: readonly DeploymentSetting[];
}

/** The logger that services use; pino fits. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** What services count; `apps/server` shows it to Prometheus. */
export interface Metrics {
  loopTurn(loop: string, seconds: number, isOk: boolean): void;
  /** A rule of a workspace's schedule was followed, or could not be. */
  scheduleRule(rule: ScheduleRule, outcome: 'done' | 'refused'): void;
  /** All of it, by name and labels: what Prometheus would get. */
  values(): Promise<Readonly<Record<string, number>>>;
}

/** Everything a service may depend on, made once by `apps/server` (or by a test). */
export interface Services {
  readonly prisma: PrismaClient;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly settings: Settings;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  readonly tunnels: TunnelRegistry;
  /** Which workspaces are used now, until it is written. */
  readonly activity: Activity;
  /** What agents say of their connections, for the statistics. */
  readonly traffic: Traffic;
  /** Encrypts what must be read back. */
  readonly sealer: Sealer;
  readonly mailer: Mailer;
  /** Of the data folder. */
  readonly disk: Disk;
  /** Counts attempts to sign in. */
  readonly loginLimit: RateLimit;
  /** Counts what browsers report without a credential. */
  readonly reportLimit: RateLimit;
}

export interface UserPrincipal {
  readonly kind: 'user';
  readonly userId: string;
  readonly username: string;
  /** The API key or session that the request carried; empty for a call that came by no door. */
  readonly keyId: string;
  readonly subject: Subject;
}

/** An agent, known by its token: valid only while its build is the latest of a workspace that is not deleted. */
export interface AgentPrincipal {
  readonly kind: 'agent';
  readonly agentId: string;
  readonly workspaceId: string;
  readonly buildId: string;
  readonly ownerId: string;
}

export interface ProvisionerPrincipal {
  readonly kind: 'provisioner';
  readonly organizationId: string;
  /** Null for the daemon that the server starts itself. */
  readonly keyId: string | null;
  readonly tags: Readonly<Record<string, string>>;
  /** Of a daemon that said what it is when it dialled: it may register as nothing else. */
  readonly limits?: { readonly name: string | null; readonly provisioners: readonly string[] };
}

/** The identity provider, known by the token of the settings: it manages accounts over SCIM, and nothing else. */
export interface ScimPrincipal {
  readonly kind: 'scim';
}

export type Principal = { readonly kind: 'anonymous' } | UserPrincipal | AgentPrincipal | ProvisionerPrincipal | ScimPrincipal;

export interface RequestFacts {
  readonly requestId: string;
  readonly ip: string;
  readonly userAgent: string;
}

/** How a procedure sets cookies; a no-op on doors that have none. */
export interface ResponseSink {
  setCookie(cookie: { name: string; value: string; httpOnly: boolean; maxAgeSeconds: number }): void;
}

/** What every door makes of a request before it calls the router. */
export interface Context {
  readonly services: Services;
  /** Who calls: asked anew for each call, since one WebSocket carries many and its credential may end in between. */
  readonly authenticate: () => Promise<Principal>;
  readonly request: RequestFacts;
  readonly response: ResponseSink;
}
