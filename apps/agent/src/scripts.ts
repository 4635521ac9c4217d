import { createWriteStream, mkdirSync } from 'node:fs';
import type { WriteStream } from 'node:fs';
import path from 'node:path';

import type { AgentScript, ScriptStage, ScriptStatus } from '@berth/protocol/agent';

import { LineSplitter } from './lines.ts';
import type { LogQueue } from './log-queue.ts';
import type { Log } from './log.ts';
import { runCommand } from './run-command.ts';
import { ScriptPipes } from './script-pipes.ts';
import type { OutputListener } from './script-pipes.ts';
import type { Session } from './session.ts';
import type { Handover } from './update/handover.ts';
import { expandPath } from './workspace.ts';
import type { Workspace } from './workspace.ts';

export interface ScriptOptions {
  readonly scripts: readonly AgentScript[];
  readonly workspace: Workspace;
  readonly session: Pick<Session, 'deliver'>;
  readonly logs: LogQueue;
  readonly logDir: string;
  readonly log: Log;
  readonly pipesGraceMs?: number;
  /** A private folder, if there is one, for output that outlives this version of the agent. */
  readonly folder?: string | undefined;
}

/** How a stage went as a whole: a failure weighs more than a timeout. */
export type StageOutcome = 'ok' | 'timed_out' | 'failed';

export interface ScriptRunner {
  /** Runs every script of the stage at once; resolves when all have ended. */
  run(stage: 'start' | 'stop'): Promise<StageOutcome>;
  /** Begins to run the scripts that have a schedule. */
  startSchedules(): Promise<void>;
  stopSchedules(): void;
  /** Resolves when the server has the results so far. */
  flushed(): Promise<void>;
  /** Scripts that run now. */
  readonly running: number;
  /** Background programs whose output only this version of the agent could read. */
  readonly bound: number;
  /** Stops reading what background programs print, and says where it goes on. */
  pauseOutputs(): Promise<Handover['outputs']>;
  /** Reads on. */
  resumeOutputs(outputs: Handover['outputs']): void;
}

/** Runs the manifest's scripts, sends what they print to the log, and reports each result. */
export function scriptRunner(options: ScriptOptions): ScriptRunner {
  const { scripts, workspace, session, logs, log } = options;
  const reports = new Set<Promise<void>>();
  const jobs: { stop(): void }[] = [];

  const open = new Map<ScriptPipes, string>();
  let running = 0;
  let bound = 0;

  /** Takes the output of one run of a script, also of what it leaves in the background. */
  function outputOf(script: AgentScript): { readonly take: OutputListener; readonly end: () => void; readonly flush: () => void } {
    const file = openLogFile(script, options);
    const print = (level: 'info' | 'error') => (line: string) => logs.push(script.log_source_id, level, line);
    const splitters = { stdout: new LineSplitter(print('info')), stderr: new LineSplitter(print('error')) };
    const flush = (): void => {
      splitters.stdout.end();
      splitters.stderr.end();
    };
    return {
      take: (chunk, stream) => {
        splitters[stream].push(chunk);
        file?.write(chunk);
      },
      flush,
      end: () => {
        flush();
        file?.end();
      },
    };
  }

  async function runOne(script: AgentScript, stage: ScriptStage): Promise<ScriptStatus> {
    running += 1;
    try {
      return await runAndReport(script, stage);
    } finally {
      running -= 1;
    }
  }

  async function runAndReport(script: AgentScript, stage: ScriptStage): Promise<ScriptStatus> {
    const print = (level: 'info' | 'error') => (line: string) => logs.push(script.log_source_id, level, line);
    const pipes = options.folder === undefined ? undefined : await ScriptPipes.make(options.folder);
    const output = outputOf(script);
    if (pipes === undefined) bound += 1;
    else open.set(pipes, script.id);
    const startedAt = new Date();
    const { exitCode, status } = await runCommand({
      workspace,
      script: script.script,
      timeoutMs: script.timeout * 1000,
      ...(options.pipesGraceMs === undefined ? {} : { pipesGraceMs: options.pipesGraceMs }),
      onOutput: output.take,
      variables: placesOf(script, options.folder),
      pipes,
      onOutputEnd: () => {
        output.end();
        if (pipes === undefined) bound -= 1;
        else open.delete(pipes);
      },
    });
    output.flush();
    const endedAt = new Date();
    if (status === 'timed_out') print('error')(`The script was stopped: it took more than ${script.timeout} s.`);
    if (status === 'pipes_left_open') print('info')('The script has ended; what it left running in the background keeps its output open.');
    if (status === 'exit_failure') print('error')(`The script ended with exit code ${exitCode}.`);
    const report = {
      script_id: script.id,
      started_at: startedAt.toISOString(),
      ended_at: endedAt.toISOString(),
      exit_code: exitCode,
      stage,
      status,
    };
    const sent = session
      .deliver((api, signal) => api.reportScript.mutate(report, { signal }))
      .then(
        () => undefined,
        (error: unknown) => log('error', `The result of script ${script.display_name} could not be reported`, error),
      )
      .finally(() => reports.delete(sent));
    reports.add(sent);
    return status;
  }

  return {
    run: async (stage) => {
      const chosen = scripts.filter((script) => (stage === 'start' ? script.run_on_start : script.run_on_stop));
      const statuses = await Promise.all(chosen.map((script) => runOne(script, stage)));
      if (statuses.includes('exit_failure')) return 'failed';
      return statuses.includes('timed_out') ? 'timed_out' : 'ok';
    },
    startSchedules: async () => {
      const scheduled = scripts.filter(({ cron }) => cron.trim() !== '');
      if (scheduled.length === 0) return;
      const { Cron } = await import('croner');
      for (const script of scheduled) {
        try {
          // `protect`: a run that takes longer than its interval is not started twice.
          jobs.push(new Cron(script.cron, { protect: true }, async () => void (await runOne(script, 'cron'))));
        } catch (error) {
          logs.push(script.log_source_id, 'error', `The schedule "${script.cron}" of ${script.display_name} cannot be read.`);
          log('warn', `The schedule of script ${script.display_name} cannot be read`, error);
        }
      }
    },
    stopSchedules: () => {
      for (const job of jobs.splice(0)) job.stop();
    },
    flushed: async () => {
      await Promise.all(reports);
    },
    get running() {
      return running;
    },
    get bound() {
      return bound;
    },
    pauseOutputs: async () => {
      const outputs = [...open].map(([pipes, script_id]) => ({ script_id, ...pipes.paths }));
      await Promise.all([...open.keys()].map((pipes) => pipes.pause()));
      open.clear();
      return outputs;
    },
    resumeOutputs: (outputs) => {
      for (const { script_id, ...paths } of outputs) {
        const script = scripts.find(({ id }) => id === script_id);
        if (script === undefined) continue;
        const pipes = new ScriptPipes(paths);
        const output = outputOf(script);
        open.set(pipes, script_id);
        pipes.read(output.take).then(
          () => {
            output.end();
            open.delete(pipes);
          },
          (error: unknown) => {
            open.delete(pipes);
            log('warn', `The output of what script ${script.display_name} left running cannot be read on`, error);
          },
        );
      }
    },
  };
}

/** Where scripts put programs for all commands of the workspace, in the private folder of the agent. */
export function binDirOf(folder: string): string {
  return path.join(folder, 'bin');
}

/** A folder for programs, which is in everyone's PATH, and one for what the script itself keeps. */
function placesOf(script: AgentScript, folder: string | undefined): Record<string, string> {
  if (folder === undefined) return {};
  const data = path.join(folder, 'scripts', script.log_source_id);
  try {
    for (const place of [binDirOf(folder), data]) mkdirSync(place, { recursive: true, mode: 0o700 });
  } catch {
    // A full disk: the script runs all the same.
    return {};
  }
  return { BERTH_SCRIPT_BIN_DIR: binDirOf(folder), BERTH_SCRIPT_DATA_DIR: data };
}

/** A script's log is also a file, for people in the workspace. Without it the script runs all the same. */
function openLogFile(script: AgentScript, { workspace, logDir, log }: ScriptOptions): WriteStream | undefined {
  const environment = workspace.environment();
  const name = script.log_path === '' ? `berth-script-${script.log_source_id}.log` : script.log_path;
  const file = /^[~/$]/.test(name) ? expandPath(name, environment, environment['HOME'] ?? '/') : path.join(logDir, name);
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    log('warn', `The log file ${file} cannot be made`, error);
    return undefined;
  }
  const stream = createWriteStream(file, { flags: 'a', mode: 0o600 });
  stream.on('error', (error) => log('warn', `The log file ${file} cannot be written`, error));
  return stream;
}
