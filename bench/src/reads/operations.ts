import { benchId, buildNumberOf } from '../dataset/ids.ts';
import type { Sizes } from '../options.ts';

/** One read to measure: the same question over each door, for several things in turn. */
export interface ReadOperation {
  readonly name: string;
  /** Under `/api/v2`. */
  readonly rest: readonly string[];
  readonly rpc: { readonly path: string; readonly inputs: readonly object[] };
  /** The aim for the p95 over REST, in milliseconds. */
  readonly aimMs: number;
}

const READ_AIM_MS = 50;
const AUDIT_AIM_MS = 100;
const PAGE = 25;
const SAMPLE = 200;

/** The numbers 1 to `limit`, spread evenly, `SAMPLE` of them at most. */
function sample(limit: number): number[] {
  const count = Math.min(limit, SAMPLE);
  return Array.from({ length: count }, (_, at) => 1 + Math.floor((at * limit) / count));
}

interface Question {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly input: object;
}

function operation(name: string, rpcPath: string, questions: readonly Question[], aimMs = READ_AIM_MS): ReadOperation {
  const rest = questions.map(({ path, query = {} }) => {
    const text = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)])).toString();
    return `/api/v2${path}${text === '' ? '' : `?${text}`}`;
  });
  return { name, rest, rpc: { path: rpcPath, inputs: questions.map(({ input }) => input) }, aimMs };
}

function auditPage(name: string, queries: readonly string[], offset = 0): ReadOperation {
  const questions = queries.map((q) => {
    const query = { ...(q === '' ? {} : { q }), limit: PAGE, ...(offset === 0 ? {} : { offset }) };
    // Numbers of a query are text on both doors.
    return { path: '/audit', query, input: Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])) };
  });
  return operation(`audit page: ${name}`, 'audit.list', questions, AUDIT_AIM_MS);
}

const DAY_MS = 86_400_000;
const dayAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Everything that is measured, in the order of the report. */
export function readOperations({ users, workspaces }: Sizes): ReadOperation[] {
  const people = sample(Math.min(users, 50));
  return [
    operation(
      'workspace by id',
      'workspaces.get',
      sample(workspaces).map((w) => ({ path: `/workspaces/${benchId('workspace', w)}`, input: { workspace: benchId('workspace', w) } })),
    ),
    operation('workspace list (25)', 'workspaces.list', [{ path: '/workspaces', query: { limit: PAGE }, input: { limit: String(PAGE) } }]),
    operation(
      'workspace list (25) of one owner',
      'workspaces.list',
      people.map((n) => {
        const q = `owner:user-${n}`;
        return { path: '/workspaces', query: { q, limit: PAGE }, input: { q, limit: String(PAGE) } };
      }),
    ),
    operation(
      'builds of a workspace',
      'builds.list',
      sample(workspaces).map((w) => ({
        path: `/workspaces/${benchId('workspace', w)}/builds`,
        input: { workspace: benchId('workspace', w) },
      })),
    ),
    operation(
      'rich parameters of a version',
      'templateVersions.richParameters',
      [1, 2, 3, 4, 5, 6, 7, 8].map((t) => {
        const id = benchId('version', t * 10 + 3);
        return { path: `/templateversions/${id}/rich-parameters`, input: { templateversion: id } };
      }),
    ),
    auditPage('no filter', ['']),
    auditPage('no filter, page 1,000', [''], 999 * PAGE),
    auditPage('resource_type', [
      'resource_type:workspace',
      'resource_type:template',
      'resource_type:api_key',
      'resource_type:workspace_proxy',
    ]),
    auditPage('action', ['action:start', 'action:delete', 'action:login', 'action:write']),
    auditPage(
      'resource_id',
      sample(workspaces).map((w) => `resource_id:${benchId('build', buildNumberOf(w, 1))}`),
    ),
    auditPage(
      'resource_target',
      sample(workspaces).map((w) => `resource_target:workspace-${w}`),
    ),
    auditPage(
      'username',
      people.map((n) => `username:user-${n}`),
    ),
    auditPage(
      'email',
      people.map((n) => `email:user-${n}@example.com`),
    ),
    auditPage(
      'date_from and date_to',
      [30, 90, 180, 300].map((days) => `date_from:${dayAgo(days + 7)} date_to:${dayAgo(days)}`),
    ),
    auditPage('build_reason', ['build_reason:autostart', 'build_reason:dormancy']),
    auditPage('organization', ['organization:default']),
    auditPage(
      'resource_type, action and username',
      people.map((n) => `resource_type:workspace_build action:start username:user-${n}`),
    ),
    auditPage(
      'username, page 100',
      people.map((n) => `username:user-${n}`),
      99 * PAGE,
    ),
  ];
}
