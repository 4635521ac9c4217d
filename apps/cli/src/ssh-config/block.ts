import { posixWord, windowsWord } from './shell-word.ts';

const BEGIN = '# ---------- begin: written by `berth config-ssh`, which replaces this section ----------';
const END = '# ---------- end: written by `berth config-ssh` ----------';
/** What stands before the name of a workspace, such as `berth.harbour`. */
export const HOST_PREFIX = 'berth.';

/** A keyword of OpenSSH and its value, as the person gives them. */
export interface SshOption {
  readonly name: string;
  readonly value: string;
}

export interface BlockOptions {
  /** What runs this program: the program and its first arguments, without the command. */
  readonly command: readonly string[];
  /** More arguments of `berth ssh`, such as `--wait=no`. */
  readonly sshArguments: readonly string[];
  /** Workspaces to list by name, so that editors offer them; each works without. */
  readonly hosts: readonly string[];
  /** Options of the person, which win over ours. */
  readonly options: readonly SshOption[];
  readonly platform: NodeJS.Platform;
}

/** Something that must not go into the file, with the reason as a sentence. */
export class UnsafeConfigError extends Error {
  override readonly name = 'UnsafeConfigError';
}

/** Names that end the section, or decide what connects. */
const NOT_ALLOWED = new Set([
  'host',
  'match',
  'include',
  'proxycommand',
  'proxyjump',
  'proxyusefdpass',
  'localcommand',
  'knownhostscommand',
]);
const HOST = /^[a-z0-9]+(?:-{1,2}[a-z0-9]+)*(?:\.[a-z0-9]+(?:[-_][a-z0-9]+)*)?$/i;

/**
 * The section of an SSH configuration that makes every `berth.<workspace>` a host. Nothing in it can end its line or its section: not a
 * path, not a name, not an option.
 *
 * @throws UnsafeConfigError for what cannot stand there safely.
 */
export function renderBlock({ command, sshArguments, hosts, options, platform }: BlockOptions): string {
  const isWindows = platform === 'win32';
  const words = [...command, 'ssh', '--stdio', ...sshArguments, '--ssh-host'];
  const line = words.map((word) => proxyWord(word, isWindows)).join(' ');
  return [
    BEGIN,
    ...(hosts.length === 0 ? [] : [`Host ${hosts.map(hostName).join(' ')}`]),
    // The host goes through a shell, in quotes, and ssh of some versions lets hosts have any characters (CVE-2023-51385).
    `Host ${HOST_PREFIX}* ${isWindows ? '' : '"!*\'*"'}`.trimEnd(),
    ...options.map(optionLine),
    // Only this program says who answers, over a connection that has proved itself; there is no address that could be somebody else's.
    '  StrictHostKeyChecking no',
    `  UserKnownHostsFile ${isWindows ? 'NUL' : '/dev/null'}`,
    `  GlobalKnownHostsFile ${isWindows ? 'NUL' : '/dev/null'}`,
    '  LogLevel ERROR',
    // A workspace that has to start first takes its time, and says so meanwhile.
    '  ConnectTimeout 0',
    `  ProxyCommand ${line} ${isWindows ? '"%h"' : "'%h'"}`,
    END,
    '',
  ].join('\n');
}

function proxyWord(word: string, isWindows: boolean): string {
  requireOneLine(word, 'A path');
  const quoted = isWindows ? windowsWord(word) : posixWord(word);
  if (quoted === null) throw new UnsafeConfigError(`A path must not have the character ": ${JSON.stringify(word)}.`);
  return quoted.replaceAll('%', '%%');
}

function hostName(name: string): string {
  if (!HOST.test(name)) throw new UnsafeConfigError(`${JSON.stringify(name)} is not a workspace name.`);
  return `${HOST_PREFIX}${name}`;
}

function optionLine({ name, value }: SshOption): string {
  if (!/^[A-Za-z][A-Za-z0-9]{0,63}$/.test(name)) throw new UnsafeConfigError(`${JSON.stringify(name)} is not an ssh option.`);
  if (NOT_ALLOWED.has(name.toLowerCase())) throw new UnsafeConfigError(`The option ${name} is not allowed here.`);
  requireOneLine(value, `The value of ${name}`);
  if (value.trim() === '') throw new UnsafeConfigError(`The option ${name} has no value.`);
  return `  ${name} ${value.trim()}`;
}

function requireOneLine(text: string, what: string): void {
  // oxlint-disable-next-line no-control-regex -- they are what must not be there
  if (/[\u0000-\u0008\u000A-\u001F\u007F\u0085\u2028\u2029]/.test(text)) {
    throw new UnsafeConfigError(`${what} must be one line without control characters: ${JSON.stringify(text)}.`);
  }
}

/** `Name=value` or `Name value`. @throws UnsafeConfigError for anything else. */
export function parseSshOption(text: string): SshOption {
  const match = /^([A-Za-z0-9]+)(?:[ \t]*=[ \t]*|[ \t]+)(.+)$/s.exec(text.trim());
  if (match === null) throw new UnsafeConfigError(`${JSON.stringify(text)} must be NAME=VALUE.`);
  const option = { name: match[1] ?? '', value: match[2] ?? '' };
  optionLine(option);
  return option;
}

/** The section of a file with what stands around it; null for a file without one. @throws UnsafeConfigError for half a section, or two. */
export function findBlock(file: string): { readonly before: string; readonly block: string; readonly after: string } | null {
  const begins = [...file.matchAll(lineOf(BEGIN))];
  const ends = [...file.matchAll(lineOf(END))];
  const [begin] = begins;
  const [end] = ends;
  if (begin === undefined && end === undefined) return null;
  if (begin === undefined || end === undefined || begins.length > 1 || ends.length > 1 || end.index < begin.index) {
    throw new UnsafeConfigError('The Berth section in this file is incomplete or duplicated. Remove it by hand, then try again.');
  }
  const after = end.index + end[0].length;
  return { before: file.slice(0, begin.index), block: file.slice(begin.index, after), after: file.slice(after) };
}

function lineOf(marker: string): RegExp {
  return new RegExp(`^${marker.replaceAll(/[.*+?^${}()|[\]\\`]/g, String.raw`\$&`)}\\r?(?:\\n|$(?![\\s\\S]))`, 'gm');
}

/** The file with the section in the place of an old one, or at its end; every other byte stays. Texts are bytes, one a character (latin1). */
export function withBlock(file: string, block: string): string {
  const found = findBlock(file);
  if (found !== null) return `${found.before}${block}${found.after}`;
  if (file === '') return block;
  return `${file}${file.endsWith('\n') ? '' : '\n'}\n${block}`;
}

/** The file without the section, and without the empty line that was put before it. */
export function withoutBlock(file: string): string {
  const found = findBlock(file);
  if (found === null) return file;
  return `${found.before.replace(/(^|\n)\n$/, '$1')}${found.after}`;
}
