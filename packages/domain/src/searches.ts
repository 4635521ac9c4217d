import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES, BUILD_REASONS, USER_STATUSES, WORKSPACE_STATUSES } from './enums.ts';
import type { AnySearchSpec, SearchOf, SearchReader } from './search-query.ts';
import { bool, list, oneOf, single, spanEnd, spanStart, text, timestamp, uuidText } from './search-query.ts';

/** `owner` and `username` may say this for the caller. */
export const ME = 'me';

/** Free text that stands for one key. */
const as = (key: string) => (value: string) => [{ key, value }];

/** The audit log. Texts are compared exactly, except usernames, which are compared without case. */
export const AUDIT_SEARCH = {
  freeText: (word: string) => [
    { key: AUDIT_RESOURCE_TYPES.some((type) => type === word.toLowerCase()) ? 'resource_type' : 'name', value: word },
  ],
  keys: {
    resourceType: single('resource_type', oneOf(AUDIT_RESOURCE_TYPES)),
    resourceId: single('resource_id', uuidText),
    resourceTarget: single('resource_target', text),
    /** The name of the thing, or the username of the person who changed it. */
    name: single('name', text),
    action: single('action', oneOf(AUDIT_ACTIONS)),
    /** A name, or `me`. */
    username: single('username', text),
    email: single('email', text),
    /** Inclusive. */
    from: single('date_from', spanStart),
    /** Exclusive: the day after `date_to`, or its very instant. */
    before: single('date_to', spanEnd),
    buildReason: single('build_reason', oneOf(BUILD_REASONS)),
    /** A UUID or a name. */
    organization: single('organization', text),
    /** All that one request did. */
    requestId: single('request_id', uuidText),
    /** One row. */
    id: single('id', uuidText),
  },
} as const satisfies AnySearchSpec;
export type AuditSearch = SearchOf<typeof AUDIT_SEARCH>;

/** Users. `search` is a substring of e-mail or username, without case. */
export const USER_SEARCH = {
  freeText: as('search'),
  keys: {
    search: single('search', text),
    statuses: list('status', oneOf(USER_STATUSES)),
    /** Any of these site roles; a list of only `member` means everybody. */
    roles: list('role', text),
    /** Inclusive. */
    lastSeenBefore: single('last_seen_before', timestamp),
    /** Inclusive. */
    lastSeenAfter: single('last_seen_after', timestamp),
  },
} as const satisfies AnySearchSpec;
export type UserSearch = SearchOf<typeof USER_SEARCH>;

/** A build parameter to look for: by name, or by name and value. */
export interface ParameterSearch {
  readonly name: string;
  readonly value: string | null;
}

const parameter: SearchReader<ParameterSearch> = (given) => {
  const [name = '', value, ...rest] = given.split('=');
  if (name === '' || value === '' || rest.length > 0) return { problem: `"${given}" must be a name or name=value.` };
  return { value: { name, value: value ?? null } };
};

/** Workspaces. Names, owners and templates are compared without case. */
export const WORKSPACE_SEARCH = {
  freeText: (word: string) => {
    const [first = '', second, ...rest] = word.split('/');
    if (second === undefined) return [{ key: 'name', value: first }];
    if (rest.length > 0 || first === '' || second === '') return { problem: `"${word}" must be a name or owner/name.` };
    return [
      { key: 'owner', value: first },
      { key: 'name', value: second },
    ];
  },
  keys: {
    /** A substring. */
    name: single('name', text),
    /** A username, or `me`. */
    owner: single('owner', text),
    template: single('template', text),
    ids: list('id', uuidText),
    status: single('status', oneOf(WORKSPACE_STATUSES)),
    /** An agent status; other texts match nothing. Only workspaces whose latest build is a start. */
    hasAgent: single('has-agent', text),
    /** True means only dormant ones; false does not filter. */
    dormant: single('dormant', bool),
    /** Inclusive. */
    lastUsedBefore: single('last_used_before', timestamp),
    /** Inclusive. */
    lastUsedAfter: single('last_used_after', timestamp),
    outdated: single('outdated', bool),
    /** A UUID or a name. */
    organization: single('organization', text),
    /** Any of the bare names, and any of the pairs. Names are compared without case. */
    parameters: list('param', parameter),
  },
} as const satisfies AnySearchSpec;
export type WorkspaceSearch = SearchOf<typeof WORKSPACE_SEARCH>;

/** Templates. Names are compared without case. */
export const TEMPLATE_SEARCH = {
  freeText: as('name'),
  keys: {
    /** A substring. */
    name: single('name', text),
    exactName: single('exact_name', text),
    ids: list('ids', uuidText),
    /** True means only deleted ones; the default is false. */
    deleted: single('deleted', bool),
    /** Absent means both. */
    deprecated: single('deprecated', bool),
    /** A UUID or a name. */
    organization: single('organization', text),
  },
} as const satisfies AnySearchSpec;
export type TemplateSearch = SearchOf<typeof TEMPLATE_SEARCH>;
