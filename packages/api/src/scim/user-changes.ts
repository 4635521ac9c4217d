import { EMAIL_LENGTH, nameProblem, normalizeRealName } from '@berth/domain';
import type { AttributeChange, Json } from './attributes.ts';
import { booleanOf, isObject, property, textOf } from './attributes.ts';
import { elementPasses } from './filter-syntax.ts';
import { ScimRefusal } from './refusals.ts';

/** What a request says of an account. Absent: nothing. */
export interface UserChange {
  readonly userName?: string;
  readonly externalId?: string | null;
  readonly active?: boolean;
  readonly email?: string;
  readonly displayName?: string;
  readonly formatted?: string;
  readonly givenName?: string;
  readonly familyName?: string;
}

const NAME_LENGTH = 320;

/**
 * Reads changes of attributes as those of an account, later ones winning. Attributes that Berth does not keep (titles, phone numbers,
 * extensions) are passed over; what only the server sets is refused when a path names it.
 */
export function userChange(changes: readonly AttributeChange[], current: { readonly email: string } = { email: '' }): UserChange {
  let change: UserChange = {};
  for (const item of changes) change = { ...change, ...changeOf(item, change.email ?? current.email) };
  return change;
}

function changeOf(change: AttributeChange, currentEmail: string): UserChange {
  const { attribute, op, value, isNamed } = change;
  const isRemoved = op === 'remove';
  const kept = (name: string): never => {
    throw new ScimRefusal('mutability', `${name} cannot be removed.`);
  };
  const text = (name: string): string => (isRemoved ? '' : textOf(value, name, NAME_LENGTH));
  switch (attribute) {
    case 'username': {
      const userName = isRemoved ? kept('userName') : text('userName').trim();
      if (userName === '') throw new ScimRefusal('invalidValue', 'userName must not be empty.');
      return { userName };
    }
    case 'externalid':
      return { externalId: isRemoved || value === '' ? null : textOf(value, 'externalId', 512) };
    case 'active':
      return { active: isRemoved ? kept('active') : booleanOf(value, 'active') };
    case 'displayname':
      return { displayName: text('displayName') };
    case 'name.formatted':
      return { formatted: text('name.formatted') };
    case 'name.givenname':
      return { givenName: text('name.givenName') };
    case 'name.familyname':
      return { familyName: text('name.familyName') };
    case 'name':
      return isRemoved ? { formatted: '', givenName: '', familyName: '' } : { formatted: text('name') };
    case 'emails':
    case 'emails.value':
      return emailChange(change, currentEmail);
    case 'id':
    case 'meta':
    case 'groups':
      if (isNamed) throw new ScimRefusal('mutability', `${attribute} is set by the server.`);
      return {};
    default:
      return {};
  }
}

/** An account has one address, of the type work and primary. Changes of others are passed over, and it is never removed. */
function emailChange({ op, value, element, attribute, sub }: AttributeChange, current: string): UserChange {
  if (op === 'remove') return {};
  if (element !== null) {
    if (!elementPasses(element, { type: 'work', primary: true, value: current })) return {};
    if (sub !== '' && sub !== 'value') return {};
    return { email: emailOf(value) };
  }
  if (attribute === 'emails.value') return { email: emailOf(value) };
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const chosen = list.find(isPrimary) ?? list.find((item) => isOfType(item, 'work')) ?? list[0];
  return chosen === undefined ? {} : { email: emailOf(chosen) };
}

function isPrimary(item: unknown): boolean {
  const primary = isObject(item) ? property(item, 'primary') : undefined;
  return primary === true || (typeof primary === 'string' && primary.toLowerCase() === 'true');
}

function isOfType(item: unknown, type: string): boolean {
  const given = isObject(item) ? property(item, 'type') : undefined;
  return typeof given === 'string' && given.toLowerCase() === type;
}

function emailOf(value: unknown): string {
  const email = textOf(value, 'An e-mail address', EMAIL_LENGTH).trim();
  const problem = nameProblem('email', email);
  if (problem !== null) throw new ScimRefusal('invalidValue', `emails: ${problem}`);
  return email;
}

/** A name as its two parts: the last word is the family's. */
export function splitName(name: string): { readonly givenName: string; readonly familyName: string } {
  const gap = name.lastIndexOf(' ');
  return gap === -1 ? { givenName: name, familyName: '' } : { givenName: name.slice(0, gap), familyName: name.slice(gap + 1) };
}

/** The one name that Berth keeps, after a change: its parts before the whole before what is displayed. */
export function changedName(change: UserChange, current: string): string {
  const { givenName, familyName, formatted, displayName } = change;
  const parts = splitName(current);
  if (givenName !== undefined || familyName !== undefined) {
    const joined = normalizeRealName(`${givenName ?? parts.givenName} ${familyName ?? parts.familyName}`);
    if (joined !== '') return joined;
  }
  const whole = [formatted, displayName].find((text) => text !== undefined && text !== '');
  if (whole !== undefined) return normalizeRealName(whole);
  return [givenName, familyName, formatted, displayName].every((text) => text === undefined) ? current : '';
}

/** The address of a new account: that of `emails`, else the user name where it is one. */
export function newEmail(change: UserChange): string {
  const email = change.email ?? (nameProblem('email', change.userName ?? '') === null ? change.userName : undefined);
  if (email === undefined) throw new ScimRefusal('invalidValue', 'emails must have a primary address.');
  return email;
}

/** What the body of a plain `PATCH` means: the published operation changes `active` and nothing else. */
export function activeOnly(body: Json): UserChange {
  const active = property(body, 'active');
  return active === undefined ? {} : { active: booleanOf(active, 'active') };
}
