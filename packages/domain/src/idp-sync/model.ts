/** How a deployment turns one claim into organizations. An empty `field` turns it off. */
export interface OrganizationSync {
  readonly field: string;
  /** Ids of organizations by claim value. */
  readonly mapping: Readonly<Record<string, readonly string[]>>;
  readonly assignDefault: boolean;
}

/** How one organization turns a claim into membership of its groups. */
export interface GroupSync {
  readonly field: string;
  /** Ids of groups by claim value. */
  readonly mapping: Readonly<Record<string, readonly string[]>>;
  /** RE2 syntax; values without a match are left out. */
  readonly regexFilter: string | null;
  readonly autoCreateMissingGroups: boolean;
  /** Renames values before anything else; of settings that are older than `mapping`. */
  readonly legacyGroupNameMapping: Readonly<Record<string, string>>;
}

/** How one organization turns a claim into roles of its members. */
export interface RoleSync {
  readonly field: string;
  /** Names of roles by claim value. */
  readonly mapping: Readonly<Record<string, readonly string[]>>;
}

/** How a sign-on provider turns a claim into site roles. */
export interface SiteRoleSync extends RoleSync {
  /** Given to everybody, beside those of the claim. */
  readonly defaults: readonly string[];
}

export interface IdpSyncSettings {
  readonly organization: OrganizationSync;
  /** By organization id; absent means off. */
  readonly groups: ReadonlyMap<string, GroupSync>;
  readonly roles: ReadonlyMap<string, RoleSync>;
  readonly siteRoles: SiteRoleSync;
}

export interface SyncedOrganization {
  readonly id: string;
  readonly isDefault: boolean;
  /** All but Everyone. */
  readonly groups: readonly { readonly id: string; readonly name: string }[];
  /** Every role that a member can be given, built in or custom. */
  readonly roles: readonly string[];
}

/** What is there before: the places that claims can name, and what the user has of them. */
export interface IdpSyncFacts {
  readonly organizations: readonly SyncedOrganization[];
  /** Every site role that a user can be given. */
  readonly siteRoles: readonly string[];
  readonly user: {
    /** The first sign-in of an account: where organizations are not synced, it is in the default one exactly if `assignDefault` says so. */
    readonly isNew: boolean;
    /** Roles by organization, of all memberships. */
    readonly organizations: ReadonlyMap<string, readonly string[]>;
    readonly groupIds: ReadonlySet<string>;
    readonly siteRoles: readonly string[];
    /** No other active account is an owner: the role stays, whatever the claims say. */
    readonly isLastOwner: boolean;
  };
}

export interface IdpSyncInput {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly settings: IdpSyncSettings;
  readonly facts: IdpSyncFacts;
}

/** `off`: nothing is configured. `failed`: the claim cannot be read, so everything stays as it is. */
export const SYNC_STATUSES = ['off', 'applied', 'failed'] as const;
export type SyncStatus = (typeof SYNC_STATUSES)[number];

/** What happens to one organization, group or role of the user. `create`: the group is made first. */
export const SYNC_CHANGES = ['add', 'create', 'keep', 'remove'] as const;
export type SyncChange = (typeof SYNC_CHANGES)[number];

export const SYNC_KINDS = ['organization', 'group', 'organization_role', 'site_role'] as const;
export type SyncKind = (typeof SYNC_KINDS)[number];

export const SYNC_OUTCOMES = ['given', 'dropped', 'failed'] as const;
export type SyncOutcome = (typeof SYNC_OUTCOMES)[number];

/** Which rule decided about a claim value. */
export const SYNC_RULES = ['claim', 'regex', 'mapping', 'name', 'create', 'default', 'membership', 'last_owner'] as const;
export type SyncRule = (typeof SYNC_RULES)[number];

/** One step of the decision: why a value gave something, or why it gave nothing. */
export interface SyncTrace {
  readonly kind: SyncKind;
  /** Null for organizations and site roles themselves. */
  readonly organizationId: string | null;
  readonly field: string;
  /** The claim value; empty where no single value is meant. */
  readonly value: string;
  readonly outcome: SyncOutcome;
  readonly rule: SyncRule;
  /** Id of the organization or group, or name of the role or of the group to make; empty when there is none. */
  readonly target: string;
  /** One sentence for people. */
  readonly reason: string;
}

export interface SyncPart<T> {
  readonly status: SyncStatus;
  readonly field: string;
  /** Why it failed; else empty. */
  readonly problem: string;
  /** The user's places afterwards, and those that are taken away, each once. */
  readonly items: readonly (T & { readonly change: SyncChange })[];
}

export interface IdpSyncPlan {
  readonly organizations: SyncPart<{ readonly organizationId: string }>;
  /** One per organization that the user is in afterwards; a group without an id is made. */
  readonly groups: readonly (SyncPart<{ readonly groupId: string | null; readonly name: string }> & { readonly organizationId: string })[];
  readonly organizationRoles: readonly (SyncPart<{ readonly role: string }> & { readonly organizationId: string })[];
  readonly siteRoles: SyncPart<{ readonly role: string }>;
  readonly trace: readonly SyncTrace[];
}
