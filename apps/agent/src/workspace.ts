import { accessSync, constants, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';

import type { AgentManifest } from '@berth/protocol/agent';

import type { AgentEnv } from './env.ts';

/** Where programs are on every Linux, for an agent that was started without a PATH. */
const PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** What every command in the workspace is started with. */
export interface Workspace {
  /** The manifest's directory with `~` and variables expanded; empty when the manifest names none. */
  readonly directory: string;
  /** What a person reads at the start of a session, as an absolute path; empty when the manifest names none. */
  readonly motdFile: string;
  /** The login shell's absolute path. */
  readonly shell: string;
  /** The directory if it exists by now (a start script may make it), else the home. */
  cwd(): string;
  /** A new record for each command. What the caller asks for wins over what the agent inherited, not over the template. */
  environment(asked?: Readonly<Record<string, string>>): Record<string, string>;
}

type WorkspaceEnv = Pick<AgentEnv, 'url' | 'home' | 'inherited'>;

interface WorkspaceExtras {
  /** Variables that a template or a caller may replace. */
  readonly standard?: Readonly<Record<string, string>>;
  /** Where scripts put programs for everyone; first in the PATH. */
  readonly binDir?: string;
}

/**
 * Builds the workspace of a manifest. The template's variables win over the agent's own environment and over `standard`; ours win over
 * all of them.
 */
export function workspaceOf(manifest: AgentManifest, env: WorkspaceEnv, more: WorkspaceExtras = {}): Workspace {
  const { standard = {}, binDir = '' } = more;
  const shell = loginShell(env.inherited);
  const ours = {
    BERTH: 'true',
    BERTH_URL: manifest.access_url || env.url,
    BERTH_WORKSPACE_ID: manifest.workspace_id,
    BERTH_WORKSPACE_NAME: manifest.workspace_name,
    BERTH_WORKSPACE_OWNER: manifest.owner_username,
    BERTH_WORKSPACE_AGENT_NAME: manifest.agent_name,
    // Where editors in the browser, such as code-server, lead to ports of the workspace.
    ...(manifest.port_url ? { VSCODE_PROXY_URI: manifest.port_url } : {}),
  };
  const environment = (asked: Readonly<Record<string, string>> = {}): Record<string, string> => {
    const made: Record<string, string> = { ...env.inherited, ...standard, ...asked, HOME: env.home, SHELL: shell };
    made['USER'] ??= userName();
    made['LANG'] ??= 'C.UTF-8';
    made['PATH'] ??= PATHS;
    for (const [name, value] of Object.entries(manifest.environment)) made[name] = expand(value, made);
    Object.assign(made, ours);
    if (binDir !== '') made['PATH'] = `${binDir}:${made['PATH'] ?? PATHS}`;
    return made;
  };
  const base = environment();
  const directory = expandPath(manifest.directory, base, env.home);
  return {
    directory,
    motdFile: expandPath(manifest.motd_file, base, env.home),
    shell,
    cwd: () => [directory, env.home].find(isDirectory) ?? '/',
    environment,
  };
}

/** Replaces `$NAME` and `${NAME}`; an unknown name becomes nothing. */
export function expand(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(
    /\$(?:(\w+)|\{(\w+)\})/g,
    (_, plain: string | undefined, braced: string | undefined) => variables[plain ?? braced ?? ''] ?? '',
  );
}

/** An absolute path: `~` is the home, variables are replaced, what is relative lies in the home. Empty stays empty. */
export function expandPath(text: string, variables: Readonly<Record<string, string>>, home: string): string {
  if (text.trim() === '') return '';
  const expanded = expand(text.trim(), variables);
  const withHome = expanded === '~' || expanded.startsWith('~/') ? home + expanded.slice(1) : expanded;
  return path.resolve(home, withHome);
}

function loginShell(env: Readonly<Record<string, string>>): string {
  const candidates = [env['SHELL'], passwdShell(), '/bin/bash', '/bin/sh'];
  const isUsable = (file: string | undefined): file is string =>
    file !== undefined && path.isAbsolute(file) && !/(?:nologin|false)$/.test(file) && isExecutable(file);
  return candidates.find(isUsable) ?? '/bin/sh';
}

function passwdShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // A uid without an entry in the user database, as in many containers.
    return undefined;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function isDirectory(file: string): boolean {
  return file !== '' && (statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false);
}
