import { runningEmbeddedUrl } from '@berth/db/embedded';
import { openClient } from '@berth/db/session';
import type pg from 'pg';

/** A build with its job, as the database has them at the end. */
export interface BuildRow {
  readonly build: string;
  readonly job: string;
  readonly workspace: string;
  readonly name: string;
  readonly number: number;
  readonly transition: 'start' | 'stop' | 'delete';
  readonly attempt: number;
  readonly isOver: boolean;
  readonly isCanceled: boolean;
  readonly error: string;
  readonly isNumbered: boolean;
}

export interface LogRow {
  readonly job: string;
  readonly source: string;
  readonly output: string;
}

export interface AgentRow {
  readonly agent: string;
  readonly build: string;
  readonly lifecycle: string;
  readonly wasReady: boolean;
  readonly lines: readonly string[];
}

/** What a run left in the database. */
export interface Evidence {
  readonly builds: readonly BuildRow[];
  readonly logs: ReadonlyMap<string, readonly LogRow[]>;
  readonly agents: readonly AgentRow[];
  /** Audit rows by the job that they tell of. */
  readonly audited: ReadonlyMap<string, number>;
  /** What was written to jobs that had ended. */
  readonly afterEnd: readonly string[];
}

/** Runs `work` with a connection to the embedded PostgreSQL that serves a data folder now. */
async function withDatabase<T>(dataDir: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const url = await runningEmbeddedUrl(dataDir);
  if (url === undefined) throw new Error(`No PostgreSQL runs on ${dataDir}.`);
  const client = await openClient({ connectionString: url, connectionTimeoutMillis: 5000, query_timeout: 60_000 });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Has the database itself note each write that a job gets after its end: another result, another lease, another line of its log. Polling
 * could miss such a thing.
 */
export async function watchEnds(dataDir: string): Promise<void> {
  await withDatabase(dataDir, (client) =>
    client.query(`
      CREATE TABLE chaos_after_end (job uuid, what text);
      CREATE FUNCTION chaos_note_job() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO chaos_after_end VALUES (OLD.id, 'its row changed: ' || OLD::text || ' -> ' || NEW::text);
        RETURN NEW;
      END $$;
      CREATE TRIGGER chaos_note_job AFTER UPDATE ON provisioner_jobs FOR EACH ROW WHEN (OLD.completed_at IS NOT NULL AND
        (OLD.completed_at, OLD.started_at, OLD.canceled_at, OLD.error, OLD.error_code, OLD.lease_token, OLD.attempt) IS DISTINCT FROM
        (NEW.completed_at, NEW.started_at, NEW.canceled_at, NEW.error, NEW.error_code, NEW.lease_token, NEW.attempt))
        EXECUTE FUNCTION chaos_note_job();
      CREATE FUNCTION chaos_note_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO chaos_after_end SELECT id, 'a line came: ' || NEW.output FROM provisioner_jobs
          WHERE id = NEW.job_id AND completed_at IS NOT NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER chaos_note_line AFTER INSERT ON provisioner_job_logs FOR EACH ROW WHEN (NEW.source = 'provisioner')
        EXECUTE FUNCTION chaos_note_line();`),
  );
}

/** The jobs that have not ended. */
export async function openJobs(dataDir: string): Promise<string[]> {
  return await withDatabase(dataDir, async (client) => {
    const { rows } = await client.query<{ text: string }>(
      `SELECT kind || ' ' || id || ', attempt ' || attempt || ', ' || CASE WHEN started_at IS NULL THEN 'waiting' ELSE 'running' END
         || CASE WHEN canceled_at IS NULL THEN '' ELSE ', canceling' END AS text
       FROM provisioner_jobs WHERE completed_at IS NULL ORDER BY created_at`,
    );
    return rows.map(({ text }) => text);
  });
}

export async function collect(dataDir: string): Promise<Evidence> {
  return await withDatabase(dataDir, async (client) => {
    const { rows: builds } = await client.query<BuildRow>(
      `SELECT b.id AS build, j.id AS job, w.id AS workspace, w.name, b.build_number AS number, b.transition, j.attempt,
         j.completed_at IS NOT NULL AS "isOver", j.canceled_at IS NOT NULL AS "isCanceled", j.error, j.tags ? 'chaos' AS "isNumbered"
       FROM workspace_builds b JOIN provisioner_jobs j ON j.id = b.job_id JOIN workspaces w ON w.id = b.workspace_id
       ORDER BY w.name, w.id, b.build_number`,
    );
    const { rows: logs } = await client.query<LogRow>('SELECT job_id AS job, source, output FROM provisioner_job_logs ORDER BY id');
    const { rows: agents } = await client.query<AgentRow>(
      `SELECT a.id AS agent, b.id AS build, a.lifecycle_state AS lifecycle, a.ready_at IS NOT NULL AS "wasReady",
         coalesce((SELECT json_agg(l.output ORDER BY l.id) FROM workspace_agent_logs l WHERE l.agent_id = a.id), '[]') AS lines
       FROM workspace_agents a JOIN workspace_resources r ON r.id = a.resource_id JOIN workspace_builds b ON b.job_id = r.job_id`,
    );
    const { rows: audits } = await client.query<{ job: string; count: number }>(
      `SELECT additional_fields ->> 'job_id' AS job, count(*)::int AS count FROM audit_logs
       WHERE resource_type = 'workspace_build' AND additional_fields ? 'job_id' GROUP BY 1`,
    );
    const { rows: afterEnd } = await client.query<{ text: string }>(`SELECT job || ': ' || what AS text FROM chaos_after_end`);
    return {
      builds,
      logs: Map.groupBy(logs, ({ job }) => job),
      agents,
      audited: new Map(audits.map(({ job, count }) => [job, count])),
      afterEnd: afterEnd.map(({ text }) => text),
    };
  });
}
