import { queryBool, timestamp } from '@berth/core';
import { HEALTH_SECTIONS } from '@berth/domain';
import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { ProvisionerDaemon } from '../provisioner-daemons/contract.ts';
import { WorkspaceProxies } from '../workspace-proxies/contract.ts';
import { DERPHealthReport } from './derp/contract.ts';
import { HealthMessage, Severity } from './message/contract.ts';

const section = {
  severity: Severity,
  warnings: z.array(HealthMessage),
  error: z.string().meta({ description: 'What is broken, beginning with its code; empty when nothing is.' }),
  dismissed: z.boolean().meta({ description: 'Whether the settings say that nobody wants to be told of it.' }),
};
const healthy = { healthy: z.boolean().meta({ description: 'False for an error; a warning is no reason.' }) };

export const AccessURLReport = z
  .object({
    ...section,
    ...healthy,
    access_url: z.string(),
    reachable: z.boolean().meta({ description: 'Whether anything answered there.' }),
    status_code: z.int().meta({ description: 'Of `/livez`; 0 without an answer.' }),
    healthz_response: z.string().meta({ description: 'The answer of `/livez`.' }),
  })
  .meta({ id: 'AccessURLReport', description: 'Whether the address of the settings leads to this deployment, as seen from this server.' });

export const WebsocketReport = z
  .object({
    ...section,
    ...healthy,
    code: z.int().meta({ description: 'The status of the answer to the upgrade; 101 when it went through, 0 without an answer.' }),
    body: z.string().meta({ description: 'What came instead of a WebSocket.' }),
  })
  .meta({ id: 'WebsocketReport', description: 'Whether WebSockets get through to this deployment by its address.' });

export const DatabaseReport = z
  .object({
    ...section,
    ...healthy,
    reachable: z.boolean(),
    latency: z.string().meta({ description: 'With its unit.' }),
    latency_ms: z.int().meta({ description: 'The median of five round trips.' }),
    threshold_ms: z.int().meta({ description: 'From here on it is a warning.' }),
  })
  .meta({ id: 'DatabaseReport' });

export const WorkspaceProxyReport = z
  .object({ ...section, ...healthy, workspace_proxies: WorkspaceProxies })
  .meta({ id: 'WorkspaceProxyReport' });

export const ProvisionerDaemonsReport = z
  .object({
    ...section,
    items: z.array(
      z.object({ provisioner_daemon: ProvisionerDaemon, warnings: z.array(HealthMessage) }).meta({ id: 'ProvisionerDaemonsReportItem' }),
    ),
  })
  .meta({ id: 'ProvisionerDaemonsReport', description: 'The daemons of all organizations that have not left.' });

export const DiskReport = z
  .object({
    ...section,
    ...healthy,
    folder: z.string().meta({ description: 'The data folder of the server.' }),
    total_bytes: z.int(),
    free_bytes: z.int(),
    warning_bytes: z.int().meta({ description: 'Warns below this.' }),
    error_bytes: z.int().meta({ description: 'Is an error below this.' }),
  })
  .meta({ id: 'DiskReport', description: 'How much space the disk of the data folder has left.' });

export const HealthcheckReport = z
  .object({
    time: timestamp().meta({ description: 'When the checks ended.' }),
    healthy: z.boolean().meta({ description: 'Whether no section has an error, dismissed or not.' }),
    severity: Severity.meta({ description: 'The worst of all sections.' }),
    version: z.string(),
    access_url: AccessURLReport,
    websocket: WebsocketReport,
    database: DatabaseReport,
    derp: DERPHealthReport,
    workspace_proxy: WorkspaceProxyReport,
    provisioner_daemons: ProvisionerDaemonsReport,
    disk: DiskReport,
  })
  .meta({ id: 'HealthcheckReport', description: 'How the deployment is, as the server that answers sees it.' });
export type HealthcheckReport = z.output<typeof HealthcheckReport>;

export const GetHealth = z.object({
  force: queryBool().default(false).meta({ description: 'Checks now, instead of answering what was found up to a minute ago.' }),
});

const dismissed = z
  .array(z.enum(HEALTH_SECTIONS).meta({ id: 'HealthSection' }))
  .max(HEALTH_SECTIONS.length)
  .meta({ description: 'Sections whose findings nobody wants to be told of.' });

export const HealthSettings = z.object({ dismissed_healthchecks: dismissed }).meta({ id: 'HealthSettings' });
export type HealthSettings = z.output<typeof HealthSettings>;
export const UpdateHealthSettings = z.object({ dismissed_healthchecks: dismissed }).meta({ id: 'UpdateHealthSettings' });

const tag = 'Debug';

export const routes = {
  get: route({
    method: 'GET',
    path: '/debug/health',
    tag,
    id: 'debug-info-deployment-health',
    summary: 'Debug Info Deployment Health',
    errors: ['not_found', 'unavailable'],
  }),
  settings: route({
    method: 'GET',
    path: '/debug/health/settings',
    tag,
    id: 'get-health-settings',
    summary: 'Get health settings',
    errors: ['not_found'],
  }),
  updateSettings: route({
    method: 'PUT',
    path: '/debug/health/settings',
    tag,
    id: 'update-health-settings',
    summary: 'Update health settings',
  }),
};
