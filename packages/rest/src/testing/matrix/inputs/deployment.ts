import { uniqueName } from '@berth/testing';
import { nothing, noInput, ofOrganization, ofHolder, ofApp, ofAuthorization, ofDevice, ofJob } from './of.ts';
import type { InputOf } from './of.ts';

const ofPeriod: InputOf = () => ({ start_time: '2026-03-01T00:00:00Z', end_time: '2026-03-08T00:00:00Z', interval: 'day' });

export const deploymentInputs: Readonly<Record<string, InputOf>> = {
  'appearance.brand': noInput,
  'appearance.get': noInput,
  'appearance.update': () => ({ application_name: uniqueName('berth'), logo_url: '', announcement_banners: [] }),
  'appearance.watch': noInput,
  'deployment.config': noInput,
  'audit.chainStatus': noInput,
  'audit.list': noInput,
  'audit.page': noInput,
  'audit.verifyRecent': noInput,
  'audit.watch': noInput,
  'buildInfo.get': noInput,
  'health.get': noInput,
  'health.settings': noInput,
  'health.updateSettings': () => ({ dismissed_healthchecks: ['DERP'] }),
  'insights.daus': noInput,
  'insights.templates': ofPeriod,
  'insights.userActivity': ofPeriod,
  'insights.userLatency': ofPeriod,
  'debug.oidcContext': ofHolder,
  'debug.expvar': noInput,
  'debug.derpTraffic': noInput,
  'debug.coordinator': noInput,
  'debug.tailnet': noInput,
  'deploymentStats.get': noInput,
  'general.root': noInput,
  'general.ssh': noInput,
  'general.experiments': noInput,
  'general.safeExperiments': noInput,
  'general.updateCheck': noInput,
  'general.reportCsp': () => ({ 'csp-report': { 'blocked-uri': 'https://evil.example.com/x.js' } }),
  'oauth2.authorization': ofAuthorization,
  'oauth2.approve': (fixture) => ({ ...ofAuthorization(fixture), approve: true }),
  'oauth2.token': ({ app }) => ({ client_id: app.id, grant_type: 'authorization_code', code: 'x' }),
  'oauth2.revoke': ({ app }) => ({ client_id: app.id, token: 'x' }),
  'oauth2.introspect': ({ app }) => ({ client_id: app.id, token: 'x' }),
  'oauth2.beginDevice': ({ publicApp }) => ({ client_id: publicApp.id }),
  'oauth2.device': ofDevice,
  'oauth2.approveDevice': async (fixture) => ({ ...(await ofDevice(fixture)), approve: true }),
  'oauth2.grants': noInput,
  'oauth2.revokeApp': ({ app }) => ({ client_id: app.id }),
  'licenses.entitlements': noInput,
  'licenses.list': noInput,
  'licenses.add': () => ({ license: 'eyJ' }),
  'licenses.refresh': noInput,
  'licenses.delete': () => ({ id: '1' }),
  'oauth2Apps.list': noInput,
  'oauth2Apps.create': () => ({ name: uniqueName('app'), callback_url: 'https://app.example.com' }),
  'oauth2Apps.get': ofApp,
  'oauth2Apps.update': ({ app }) => ({ app: app.id, icon: '/icon/app.svg' }),
  'oauth2Apps.delete': async ({ caller }) => ({
    app: (await caller.oauth2Apps.create({ name: uniqueName('app'), callback_url: 'https://x.example.com' })).id,
  }),
  'oauth2Apps.listSecrets': ofApp,
  'oauth2Apps.createSecret': ofApp,
  'oauth2Apps.deleteSecret': async ({ caller, app }) => ({
    app: app.id,
    secretID: (await caller.oauth2Apps.createSecret({ app: app.id }))[0]?.id,
  }),
  'provisionerApi.drainDaemon': () => ({ daemon_id: nothing(), session_id: nothing(), left: false }),
  'provisionerApi.registerDaemon': () => ({
    name: 'matrix',
    session_id: nothing(),
    version: 'v0.1.0',
    provisioners: ['process'],
    tags: {},
    sandbox: { kind: 'none', detail: '' },
  }),
  'provisionerApi.acquireJob': () => ({ daemon_id: nothing(), session_id: nothing(), wait_ms: 0 }),
  'provisionerApi.heartbeat': () => ({ ...ofJob(), logs: [] }),
  'provisionerApi.planned': () => ({ ...ofJob(), resources: [] }),
  'provisionerApi.completeImport': () => ({
    ...ofJob(),
    readme: '',
    variables: [],
    parameters: [],
    start_resources: [],
    stop_resources: [],
  }),
  'provisionerApi.completeBuild': () => ({ ...ofJob(), state: '', timings: [] }),
  'provisionerApi.completeDryRun': () => ({ ...ofJob(), resources: [] }),
  'provisionerApi.failJob': () => ({ ...ofJob(), error: 'x', error_code: '', canceled: false }),
  'provisionerDaemons.list': ofOrganization,
  'provisionerDaemons.queue': ofOrganization,
  'provisionerKeys.list': async ({ caller, organization }) => {
    await caller.provisionerKeys.create({ organization: organization.id, name: uniqueName('key') });
    return { organization: organization.id };
  },
  'provisionerKeys.listDaemons': async ({ caller, organization }) => {
    await caller.provisionerKeys.create({ organization: organization.id, name: uniqueName('key') });
    return { organization: organization.id };
  },
  'provisionerKeys.create': ({ organization }) => ({ organization: organization.id, name: uniqueName('key'), tags: { gpu: 'yes' } }),
  'provisionerKeys.delete': async ({ caller, organization }) => {
    const name = uniqueName('key');
    await caller.provisionerKeys.create({ organization: organization.id, name });
    return { organization: organization.id, provisionerkey: name };
  },
  'provisionerKeys.getOwn': () => ({ provisionerkey: 'built-in' }),
  'workspaceProxies.list': noInput,
  'workspaceProxies.regions': noInput,
  'workspaceProxies.create': () => ({ name: uniqueName('proxy') }),
  'workspaceProxies.get': ({ proxy }) => ({ workspaceproxy: proxy.id }),
  'workspaceProxies.update': ({ proxy }) => ({ workspaceproxy: proxy.id, icon: '/icon/proxy.svg' }),
  'workspaceProxies.delete': async ({ caller }) => ({
    workspaceproxy: (await caller.workspaceProxies.create({ name: uniqueName('proxy') })).id,
  }),
  'replicas.list': async ({ anotherReplica }) => {
    await anotherReplica();
    return {};
  },
};
