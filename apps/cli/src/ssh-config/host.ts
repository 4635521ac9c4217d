import { usageError } from '../frame/errors.ts';
import { HOST_PREFIX } from './block.ts';

const HOST = /^(?:([a-z0-9]+(?:-[a-z0-9]+)*)--)?([a-z0-9]+(?:-[a-z0-9]+)*)(?:\.([a-z0-9]+(?:[-_][a-z0-9]+)*))?$/i;

/** `berth.harbour`, `berth.ada--harbour`, `berth.harbour.main`: a host of an SSH configuration as `[owner/]name[.agent]`. */
export function workspaceOfHost(host: string): string {
  const name = host.toLowerCase().startsWith(HOST_PREFIX) ? host.slice(HOST_PREFIX.length) : '';
  const match = HOST.exec(name);
  if (match === null) {
    throw usageError(`"${host}" is not a workspace name.`, {
      next: `Write it as ${HOST_PREFIX}<workspace> or ${HOST_PREFIX}<owner>--<workspace>`,
    });
  }
  const [, owner, workspace = '', agent] = match;
  return `${owner === undefined ? '' : `${owner}/`}${workspace}${agent === undefined ? '' : `.${agent}`}`;
}

/** The other way round. */
export function hostOf({
  owner,
  name,
  agent,
}: {
  readonly owner: string | null;
  readonly name: string;
  readonly agent: string | null;
}): string {
  return `${HOST_PREFIX}${owner === null ? '' : `${owner}--`}${name}${agent === null ? '' : `.${agent}`}`;
}
