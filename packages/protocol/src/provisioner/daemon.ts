import { uuid } from '@berth/core';
import { z } from 'zod';
import { text } from './fields.ts';

export const ProvisionerType = z.enum(['process', 'container', 'terraform']);
export type ProvisionerType = z.output<typeof ProvisionerType>;

/** How strongly workspaces are kept apart from the server on this daemon's host. `none` is said aloud at start and on the health page. */
export const SandboxKind = z.enum(['uid_namespace', 'user_namespace', 'uid', 'none']);
export type SandboxKind = z.output<typeof SandboxKind>;

export const SandboxReport = z.object({
  kind: SandboxKind,
  /** One sentence for people: what a workspace can see, and why nothing stronger was possible. */
  detail: text(1024),
});
export type SandboxReport = z.output<typeof SandboxReport>;

/** A daemon that registers again under its name with a new `session_id` gives up every job of its former session. */
export const RegisterDaemonInput = z.object({
  name: text(64).min(1),
  session_id: uuid(),
  version: text(64),
  provisioners: z.array(ProvisionerType).min(1).max(8),
  tags: z.record(z.string().min(1).max(128), text(256)).refine((tags) => Object.keys(tags).length <= 32, 'must have at most 32 tags'),
  sandbox: SandboxReport,
  /** How many jobs it does at a time; one unless given. */
  slots: z.int().min(1).max(1000).optional(),
});
export type RegisterDaemonInput = z.output<typeof RegisterDaemonInput>;
export const RegisterDaemonOutput = z.object({ daemon_id: uuid() });
export type RegisterDaemonOutput = z.output<typeof RegisterDaemonOutput>;

/** A daemon that is about to leave gets no more jobs; with `left` it is gone, and the jobs it still has are given to others at once. */
export const DrainDaemonInput = z.object({ daemon_id: uuid(), session_id: uuid(), left: z.boolean() });
export type DrainDaemonInput = z.output<typeof DrainDaemonInput>;
export const DrainDaemonOutput = z.object({});
export type DrainDaemonOutput = z.output<typeof DrainDaemonOutput>;
