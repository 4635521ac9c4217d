/** The rules of names. Uniqueness is the database's business; everything else is said here, in words that a form can show. */

export const NAME_KINDS = [
  /** User, template, workspace, OAuth2 application, custom role. */
  'name',
  /** An organization: a name, with one more reserved word. */
  'organization_name',
  'group_name',
  'template_version_name',
  /** What people read in place of a name: of organizations, templates, groups. May be empty. */
  'display_name',
  /** What a user is really called. May be empty. */
  'real_name',
  'proxy_name',
  'provisioner_key_name',
  'token_name',
  'email',
] as const;
export type NameKind = (typeof NAME_KINDS)[number];

export const NAME_LENGTH = 32;
export const GROUP_NAME_LENGTH = 255;
export const TEMPLATE_VERSION_NAME_LENGTH = 64;
export const DISPLAY_NAME_LENGTH = 64;
export const REAL_NAME_LENGTH = 128;
export const PROXY_NAME_LENGTH = 255;
export const PROVISIONER_KEY_NAME_LENGTH = 64;
export const TOKEN_NAME_LENGTH = 255;
export const EMAIL_LENGTH = 254;

/** Words that a page of the dashboard needs for itself. */
export const RESERVED_NAMES: readonly string[] = ['new', 'create'];
/** The group that every member of an organization is in. */
export const EVERYONE_GROUP_NAME = 'Everyone';
/** On paths, the organization that always exists. */
export const DEFAULT_ORGANIZATION_ALIAS = 'default';
export const PRIMARY_PROXY_NAME = 'primary';
export const BUILTIN_PROVISIONER_KEY_NAME = 'built-in';
/** Stands for daemons that come in with a person's API key. */
export const USER_AUTH_PROVISIONER_KEY_NAME = 'user-auth';
export const RESERVED_PROVISIONER_KEY_NAMES: readonly string[] = [BUILTIN_PROVISIONER_KEY_NAME, USER_AUTH_PROVISIONER_KEY_NAME, 'psk'];

const NAME = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;
const VERSION_NAME = /^[a-zA-Z0-9]+(?:[_.-][a-zA-Z0-9]+)*$/;
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;
// oxlint-disable-next-line no-control-regex -- finding them is the point
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** The rule that `value` breaks as a name of this kind, in one sentence, or null when it is fine. */
export function nameProblem(kind: NameKind, value: string): string | null {
  switch (kind) {
    case 'name':
      return plainNameProblem(value, NAME_LENGTH);
    case 'organization_name':
      if (value === DEFAULT_ORGANIZATION_ALIAS) return reserved(value);
      return plainNameProblem(value, NAME_LENGTH);
    case 'group_name':
      if (value.toLowerCase() === EVERYONE_GROUP_NAME.toLowerCase()) return reserved(value);
      return plainNameProblem(value, GROUP_NAME_LENGTH);
    case 'template_version_name':
      return (
        lengthProblem(value, 1, TEMPLATE_VERSION_NAME_LENGTH) ??
        (VERSION_NAME.test(value) ? null : 'Must consist of letters and digits, joined by single hyphens, underscores or dots.')
      );
    case 'display_name':
      return freeTextProblem(value, DISPLAY_NAME_LENGTH);
    case 'real_name':
      return freeTextProblem(value, REAL_NAME_LENGTH);
    case 'proxy_name':
      if (value.toLowerCase() === PRIMARY_PROXY_NAME) return reserved(value);
      return lengthProblem(value, 1, PROXY_NAME_LENGTH) ?? freeTextProblem(value, PROXY_NAME_LENGTH);
    case 'provisioner_key_name':
      if (RESERVED_PROVISIONER_KEY_NAMES.includes(value.toLowerCase())) return reserved(value);
      return lengthProblem(value, 1, PROVISIONER_KEY_NAME_LENGTH) ?? freeTextProblem(value, PROVISIONER_KEY_NAME_LENGTH);
    case 'token_name':
      return lengthProblem(value, 1, TOKEN_NAME_LENGTH) ?? freeTextProblem(value, TOKEN_NAME_LENGTH);
    case 'email':
      return emailProblem(value);
  }
}

function plainNameProblem(value: string, max: number): string | null {
  const tooLong = lengthProblem(value, 1, max);
  if (tooLong !== null) return tooLong;
  if (!NAME.test(value)) return 'Must consist of letters and digits, joined by single hyphens.';
  return RESERVED_NAMES.includes(value) ? reserved(value) : null;
}

function freeTextProblem(value: string, max: number): string | null {
  if (value.trim() !== value) return 'Must not start or end with a space.';
  if (CONTROL.test(value)) return 'Must not contain line breaks or other control characters.';
  return lengthProblem(value, 0, max);
}

function emailProblem(value: string): string | null {
  const length = lengthProblem(value, 1, EMAIL_LENGTH);
  if (length !== null) return length;
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const isFine = EMAIL.test(value) && local.length <= 64 && !local.startsWith('.') && !local.endsWith('.') && !local.includes('..');
  return isFine ? null : 'Must be an e-mail address such as ada@example.com.';
}

function lengthProblem(value: string, min: number, max: number): string | null {
  if (value.length < min) return 'Must not be empty.';
  // Counted in characters as people see them where that matters; the cheap bound first.
  if (value.length > max && [...value].length > max) return `Must have at most ${max} characters.`;
  return null;
}

function reserved(value: string): string {
  return `The name "${value}" is reserved; choose another.`;
}

/** A real name from elsewhere, made to fit: trimmed, without control characters, cut at the allowed length. */
export function normalizeRealName(value: string): string {
  const cleaned = value.replace(new RegExp(CONTROL, 'g'), ' ').trim();
  return [...cleaned].slice(0, REAL_NAME_LENGTH).join('').trim();
}
