import { nameProblem, readClaim } from '@berth/domain';
import type { SignOnErrorCode } from './contract.ts';
import type { Claims, Person } from './person.ts';
import { asciiLower, avatarOf } from './person.ts';
import type { OidcProvider } from './settings.ts';

/**
 * The claims of the ID token with those of the userinfo answer on top. What identifies the person and the token stays the ID token's, and
 * an `email_verified` of the ID token does not vouch for another address of the userinfo answer.
 */
export function mergeClaims(idToken: Claims, userInfo: Claims): Claims {
  const { iss, sub, aud, exp, iat, nonce, ...others } = idToken;
  const merged: Record<string, unknown> = { ...others, ...userInfo };
  if (userInfo['email'] !== undefined && userInfo['email_verified'] === undefined && userInfo['email'] !== idToken['email']) {
    delete merged['email_verified'];
  }
  const own = { iss, sub, aud, exp, iat, nonce };
  for (const [name, value] of Object.entries(own)) {
    if (value === undefined) delete merged[name];
    else merged[name] = value;
  }
  return merged;
}

/** What the claims say of the person, and which rule of the provider's settings keeps them out. */
export function personOfClaims(
  provider: OidcProvider,
  merged: Claims,
): Pick<Person, 'email' | 'username' | 'name' | 'avatarUrl' | 'refusal'> {
  const text = (claim: string): string => {
    const value = claim === '' ? undefined : merged[claim];
    return typeof value === 'string' ? value.trim() : '';
  };
  const username = text(provider.username_claim);
  const claimed = text(provider.email_claim);
  const email = claimed === '' && nameProblem('email', username) === null ? username : claimed;
  return {
    email,
    username: username === '' ? email : username,
    name: text(provider.name_claim),
    avatarUrl: avatarOf(merged['picture']),
    refusal: refusalOf(provider, merged, email),
  };
}

function refusalOf(provider: OidcProvider, merged: Claims, email: string): SignOnErrorCode | null {
  if (nameProblem('email', email) !== null) return 'email_missing';
  if (!provider.ignore_email_verified && !isVerified(merged, email)) return 'email_not_verified';
  if (!isAllowedDomain(provider.allowed_email_domains, email)) return 'email_domain_not_allowed';
  if (!isInAllowedGroup(provider, merged)) return 'not_in_allowed_group';
  return null;
}

/** `email_verified` speaks of the claim `email`; an address from another claim is not verified by it. Absent means no. */
function isVerified(merged: Claims, email: string): boolean {
  const verified = merged['email_verified'];
  return merged['email'] === email && (verified === true || verified === 'true');
}

/** Exact domains, whatever their case; a leading `@` in the settings is fine. */
export function isAllowedDomain(allowed: readonly string[], email: string): boolean {
  if (allowed.length === 0) return true;
  const domain = asciiLower(email.slice(email.lastIndexOf('@') + 1));
  return allowed.some((entry) => asciiLower(entry.replace(/^@/, '')) === domain);
}

/** Fails closed: a claim that is missing, or cannot be read as a list of names, is no group. */
function isInAllowedGroup({ allowed_groups: allowed, groups_claim: claim }: OidcProvider, merged: Claims): boolean {
  if (allowed.length === 0) return true;
  const reading = readClaim(merged, claim);
  return reading.isFine && reading.values.some((group) => allowed.includes(group));
}
