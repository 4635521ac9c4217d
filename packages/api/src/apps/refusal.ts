import type { ErrorKind } from '@berth/core';
import { DomainError } from '@berth/core';

/** Why an app does not open. */
export type AppRefusalReason =
  /** The host lies under the domain of apps and names none. */
  | 'bad_host'
  /** Absent, or not for this visitor; both look the same. */
  | 'not_found'
  | 'not_signed_in'
  /** A page of another site made the browser ask. */
  | 'foreign_page'
  | 'path_apps_off'
  | 'bad_address'
  | 'system_port'
  | 'stopped'
  | 'starting'
  | 'agent_away'
  /** Another program may listen on the app's port: its health check asks whose it is, and did not get an answer of this workspace. */
  | 'not_confirmed'
  | 'no_answer'
  | 'sign_in_failed'
  | 'bad_request';

const KINDS: Readonly<Record<AppRefusalReason, ErrorKind>> = {
  bad_host: 'invalid',
  not_found: 'not_found',
  not_signed_in: 'unauthenticated',
  foreign_page: 'forbidden',
  path_apps_off: 'forbidden',
  bad_address: 'invalid',
  system_port: 'invalid',
  stopped: 'invalid',
  starting: 'unavailable',
  agent_away: 'unavailable',
  not_confirmed: 'unavailable',
  no_answer: 'unavailable',
  sign_in_failed: 'invalid',
  bad_request: 'invalid',
};

const MESSAGES: Readonly<Record<AppRefusalReason, string>> = {
  bad_host: 'This address names no app.',
  not_found: 'There is no such app, or you do not have access to it.',
  not_signed_in: 'Sign in to open this app.',
  foreign_page: 'A page of another site made this request.',
  path_apps_off: 'This deployment does not open apps below a path.',
  bad_address: 'The app has no address that can be reached through its agent.',
  system_port: 'Ports below 9 cannot be opened.',
  stopped: 'The workspace is stopped.',
  starting: 'The workspace is starting.',
  agent_away: 'The agent of the workspace is not connected.',
  not_confirmed: 'The app of this workspace does not answer on its port.',
  no_answer: 'The app did not answer.',
  sign_in_failed: 'You could not be signed in to this app.',
  bad_request: 'The request cannot be passed on to an app.',
};

interface AppRefusalFacts {
  readonly detail?: string;
  readonly workspace?: string | null;
  readonly isOwner?: boolean;
  readonly cause?: unknown;
}

/** An app that does not open, and what its visitor may be told about it. */
export class AppRefusal extends DomainError {
  readonly reason: AppRefusalReason;
  /** `owner/name` of the workspace, for who may know it: where to start it. */
  readonly workspace: string | null;
  /** Whether the visitor owns that workspace. */
  readonly isOwner: boolean;

  constructor(reason: AppRefusalReason, { detail, workspace = null, isOwner = false, cause }: AppRefusalFacts = {}) {
    super(KINDS[reason], MESSAGES[reason], { ...(detail === undefined ? {} : { detail }), cause });
    this.reason = reason;
    this.workspace = workspace;
    this.isOwner = isOwner;
  }
}
