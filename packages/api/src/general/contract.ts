import { z } from 'zod';
import { Confirmation } from '../kernel/confirmation.ts';
import { route } from '../kernel/route.ts';

export const ApiRoot = Confirmation;

export const SSHConfig = z
  .object({
    hostname_prefix: z.string().meta({ description: 'What the names of workspaces begin with as SSH hosts.' }),
    ssh_config_options: z.record(z.string(), z.string()).meta({ description: 'Lines that `berth config-ssh` adds for each host.' }),
  })
  .meta({ id: 'SSHConfigResponse' });

const Experiment = z.enum(['example', 'auto-fill-parameters', 'notifications', 'workspace-usage']).meta({ id: 'Experiment' });
export const Experiments = z.array(Experiment);

export const UpdateCheck = z
  .object({
    current: z.boolean().meta({ description: 'Always true: nobody was asked.' }),
    version: z.string().meta({ description: 'The version of this server.' }),
    url: z.string().meta({ description: 'Empty.' }),
  })
  .meta({ id: 'UpdateCheckResponse' });

/** A report has some ten fields; more of them, or longer names, come from no browser. */
const REPORT_FIELDS_MAX = 64;

export const CspViolation = z
  .object({
    'csp-report': z
      .record(z.string().max(128), z.unknown())
      .refine((report) => Object.keys(report).length <= REPORT_FIELDS_MAX, `must have at most ${REPORT_FIELDS_MAX} fields`)
      .default({}),
  })
  .meta({ id: 'CSPViolation', description: 'What a browser says of something that a page of ours wanted to load and may not.' });
export type CspViolation = z.output<typeof CspViolation>;

const tag = 'General';

export const routes = {
  root: route({ method: 'GET', path: '/', tag, id: 'api-root-handler', summary: 'API root handler' }),
  ssh: route({ method: 'GET', path: '/deployment/ssh', tag, id: 'ssh-config', summary: 'SSH Config' }),
  experiments: route({
    method: 'GET',
    path: '/experiments',
    tag,
    id: 'get-enabled-experiments',
    summary: 'Get enabled experiments',
    description: 'Always none: what is in Berth is on.',
  }),
  safeExperiments: route({
    method: 'GET',
    path: '/experiments/available',
    tag,
    id: 'get-safe-experiments',
    summary: 'Get safe experiments',
    description: 'Always none.',
  }),
  updateCheck: route({
    method: 'GET',
    path: '/updatecheck',
    tag,
    id: 'update-check',
    summary: 'Update check',
    description: 'The server calls nobody on its own, so it knows of no newer version than its own.',
  }),
  reportCsp: route({
    method: 'POST',
    path: '/csp/reports',
    tag,
    id: 'report-csp-violations',
    summary: 'Report CSP violations',
    description:
      'For browsers, which the pages’ Content-Security-Policy sends here. Sixty a minute from one address are taken, and logged.',
  }),
};
