import type { WildcardHost } from './wildcard-host.ts';

/** What the host of a subdomain app names. Names are in lower case, since hosts are. */
export interface AppHost {
  readonly owner: string;
  readonly workspace: string;
  readonly agent: string;
  readonly target: { readonly kind: 'app'; readonly slug: string } | AppPort;
}

/** A port of the workspace, and what is spoken there. */
export interface AppPort {
  readonly kind: 'port';
  readonly port: number;
  readonly protocol: 'http' | 'https';
}

export interface AppPlace {
  readonly owner: string;
  readonly workspace: string;
  readonly agent: string;
}

const PART = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const PORT = /^(\d{1,5})(s?)$/;
/** A label of a host has no more characters (RFC 1035, 2.3.4). */
const LABEL_MAX = 63;

/** `slug--agent--workspace--owner`: the first label of an app's host. Empty when the names do not fit into one. */
export function subdomainName(slugOrPort: string, { agent, workspace, owner }: AppPlace): string {
  const parts = [slugOrPort, agent, workspace, owner].map((part) => part.toLowerCase());
  const name = parts.join('--');
  return name.length <= LABEL_MAX && parts.every((part) => PART.test(part)) ? name : '';
}

/** The first part of the host of a port: `8080`, or `8443s` for what speaks TLS. */
export function portPart({ port, protocol }: Pick<AppPort, 'port' | 'protocol'>): string {
  return `${port}${protocol === 'https' ? 's' : ''}`;
}

/** Whether a host, with or without its port, lies under the wildcard, whatever is before it: such a host is never anything but an app's. */
export function isAppHost(host: string, { suffix }: WildcardHost): boolean {
  const name = nameOf(host);
  return name.endsWith(suffix) && name.length > suffix.length;
}

/** What a host under the wildcard names; null for every other host, and for one that names nothing. */
export function parseAppHost(host: string, wildcard: WildcardHost): AppHost | null {
  const label = labelOf(host, wildcard);
  if (label === null) return null;
  // What stands before three hyphens is the visitor's own, to have several origins of one app.
  const [slugOrPort, agent, workspace, owner, ...others] = label.replace(/^.*---/, '').split('--');
  if (slugOrPort === undefined || agent === undefined || workspace === undefined || owner === undefined || others.length > 0) return null;
  if (![slugOrPort, agent, workspace, owner].every((part) => PART.test(part))) return null;
  const [, digits, isTls] = PORT.exec(slugOrPort) ?? [];
  if (digits === undefined) return { owner, workspace, agent, target: { kind: 'app', slug: slugOrPort } };
  const port = Number(digits);
  if (port < 1 || port > 65_535) return null;
  return { owner, workspace, agent, target: { kind: 'port', port, protocol: isTls === 's' ? 'https' : 'http' } };
}

function nameOf(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function labelOf(host: string, { suffix }: WildcardHost): string | null {
  const name = nameOf(host);
  if (!name.endsWith(suffix)) return null;
  const label = name.slice(0, -suffix.length);
  return label === '' || label.includes('.') ? null : label;
}
