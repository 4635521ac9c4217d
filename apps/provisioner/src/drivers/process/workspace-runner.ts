import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { removeUnusedRuntimes } from './agent-runtime.ts';
import { InTurn } from '../in-turn.ts';
import { isAlive, killByArguments, killGroup, killMarked, killUid, signalProcess, waitForExit } from './processes.ts';
import { INIT, launch } from './sandbox.ts';
import type { Launched, Sandbox } from './sandbox.ts';
import { WorkspaceStore } from './workspace-store.ts';
import type { RunRecord } from './workspace-store.ts';

export interface WorkspaceUser {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly username: string;
}

export interface AgentToRun {
  readonly name: string;
  /** What the agent's process finds in its environment, beside who and where it is. */
  readonly environment: Readonly<Record<string, string>>;
}

export interface StopOptions {
  /** How long agents may take to run their stop scripts and end, before everything is killed. */
  readonly graceMs: number;
  /** Aborted: the wait for the agents is given up and nothing more is done. */
  readonly signal?: AbortSignal;
}

type StartOptions = StopOptions & { readonly signal: AbortSignal };

/** How long the kernel may take to end what was killed. */
const KILL_MS = 10_000;
const MARK = 'BERTH_WORKSPACE_ID';
const PATHS = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/**
 * Starts and stops the process trees of workspaces. What runs is known from `run.json` alone, which is written before
 * anything of the workspace runs: a daemon that has just started stops what a dead one started. A workspace is used by
 * one call at a time: a job whose lease was lost may still be at it when its next attempt begins on the same host.
 */
export class WorkspaceRunner {
  readonly #sandbox: Sandbox;
  readonly #store: WorkspaceStore;
  readonly #turns = new InTurn();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
    this.#store = new WorkspaceStore({ dataDir: sandbox.dataDir, uids: sandbox.mode.uids });
  }

  /**
   * Ends whatever runs of the workspace, then starts these agents. When it rejects, or `signal` is aborted, nothing of
   * the workspace runs. Started agents outlive this process.
   */
  async start(user: WorkspaceUser, agents: readonly AgentToRun[], options: StartOptions): Promise<void> {
    await this.#turns.run(user.workspaceId, () => this.#start(user, agents, options));
  }

  async #start(user: WorkspaceUser, agents: readonly AgentToRun[], options: StartOptions): Promise<void> {
    const { workspaceId } = user;
    options.signal.throwIfAborted();
    await this.#stop(workspaceId, options);
    options.signal.throwIfAborted();
    const { mode } = this.#sandbox;
    const name = /^[a-z][a-z0-9-]{0,31}$/i.test(user.username) ? user.username.toLowerCase() : 'workspace';
    const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
    const shownHome = mode.isolated ? `/home/${name}` : join(this.#store.folder(workspaceId), 'home');
    const folders = await this.#store.prepare(workspaceId, { name, home: shownHome, shell });
    const hostname = /^[a-z0-9-]{1,63}$/i.test(user.workspaceName) ? user.workspaceName : 'workspace';
    const [node, agentDir] = mode.isolated ? ['/berth/bin/node', '/berth/agent'] : [this.#sandbox.nodeBinary, this.#sandbox.agentDir];
    const launched: { agent: AgentToRun; sandbox: Launched }[] = [];
    const record: RunRecord = {
      version: 1,
      kind: mode.kind,
      uid: folders.uid ?? null,
      runtime: basename(this.#sandbox.agentDir),
      processes: [],
    };
    try {
      for (const agent of agents) {
        const logFile = this.#store.logFile(workspaceId, agent.name);
        const command = [node, join(agentDir, 'agent.mjs')];
        const sandbox = await launch(this.#sandbox, { folders, home: shownHome, hostname, logFile, command, signal: options.signal });
        launched.push({ agent, sandbox });
        record.processes.push({ agent: agent.name, outer: sandbox.outer, init: sandbox.init });
      }
      // From here on a crash of this process leaves a record; until here it left nothing that runs.
      await this.#store.writeRun(workspaceId, record);
      options.signal.throwIfAborted();
      for (const { agent, sandbox } of launched) {
        await sandbox.enter({
          PATH: `${join(node, '..')}:${PATHS}`,
          HOME: shownHome,
          USER: name,
          LOGNAME: name,
          SHELL: shell,
          LANG: 'C.UTF-8',
          TMPDIR: mode.isolated ? '/tmp' : folders.tmp,
          [MARK]: workspaceId,
          ...agent.environment,
        });
        sandbox.detach();
      }
    } catch (error) {
      await this.#end(workspaceId, record, { graceMs: 0 });
      throw error;
    }
  }

  /** Ends every process of the workspace: agents are asked first, so that stop scripts run. Nothing running is fine. */
  async stop(workspaceId: string, options: StopOptions): Promise<void> {
    await this.#turns.run(workspaceId, () => this.#stop(workspaceId, options));
  }

  async #stop(workspaceId: string, options: StopOptions): Promise<void> {
    options.signal?.throwIfAborted();
    const record = await this.#store.readRun(workspaceId);
    if (record === 'unreadable') await this.#endUnrecorded(workspaceId);
    else if (record !== undefined) await this.#end(workspaceId, record, options);
  }

  /** Stops the workspace and removes its home and all else it has here. */
  async remove(workspaceId: string, options: StopOptions): Promise<void> {
    await this.#turns.run(workspaceId, async () => {
      await this.#stop(workspaceId, options);
      // Nobody will look again: so whatever the record may have missed goes too.
      await this.#endUnrecorded(workspaceId);
      await this.#store.remove(workspaceId);
    });
  }

  async removeHome(workspaceId: string): Promise<void> {
    await this.#turns.run(workspaceId, () => this.#store.removeHome(workspaceId));
  }

  /** Removes copies of the agent's program that nothing runs any more. */
  async tidy(): Promise<void> {
    await removeUnusedRuntimes({ current: this.#sandbox.agentDir, store: this.#store });
  }

  /** Names of the agents whose process tree lives. */
  async running(workspaceId: string): Promise<string[]> {
    const record = await this.#store.readRun(workspaceId);
    const alive: string[] = [];
    for (const { agent, init } of typeof record === 'object' ? record.processes : []) if (await isAlive(init)) alive.push(agent);
    return alive;
  }

  /** Kills what can be told to be the workspace's by looking at every process of the host. */
  async #endUnrecorded(workspaceId: string): Promise<void> {
    await killByArguments([INIT, join(this.#store.folder(workspaceId), 'home')], KILL_MS);
    await killMarked(`${MARK}=${workspaceId}`, KILL_MS);
    await this.#store.clearRun(workspaceId);
  }

  async #end(workspaceId: string, record: RunRecord, { graceMs, signal }: StopOptions): Promise<void> {
    await Promise.all(
      record.processes.map(async ({ init, outer }) => {
        if (graceMs > 0) {
          await signalProcess(init, 'SIGTERM');
          await waitForExit(init, graceMs, signal);
        }
        // The first process of a PID namespace takes every other one with it, whatever they do.
        await signalProcess(init, 'SIGKILL');
        if (record.kind === 'none') await killGroup(outer);
        if (!(await waitForExit(init, KILL_MS)) || !(await waitForExit(outer, KILL_MS))) {
          throw new Error(`Process ${init.pid} of workspace ${workspaceId} does not end.`);
        }
      }),
    );
    if (record.kind === 'uid' && record.uid !== null) await killUid(record.uid, KILL_MS);
    if (record.kind === 'none') await killMarked(`${MARK}=${workspaceId}`, KILL_MS);
    await this.#store.clearRun(workspaceId);
  }
}
