import { notFound } from '@berth/core';
import type { Tx } from '@berth/db';
import type { z } from 'zod';
import { appHost } from '../apps/app-host.ts';
import type { Services } from '../kernel/context.ts';
import type { UserCall } from '../kernel/procedures.ts';
import type { Regions, WorkspaceProxies, WorkspaceProxy } from './contract.ts';
import { presentPrimaryProxy, presentProxy } from './presenter.ts';
import { findProxy, isPrimary, listProxyRows, loadPrimaryProxy } from './proxy-rows.ts';

/** Every proxy, the primary one first. The interface wants an array of one object. */
export async function listProxies(call: UserCall): Promise<[z.output<typeof WorkspaceProxies>]> {
  call.authorize.require({ type: 'workspace_proxy' }, { sitewide: true });
  return [{ regions: await readAllProxies(call) }];
}

/** The primary one first; says nothing about who may see them. */
export async function readAllProxies({ db, services }: { readonly db: Tx; readonly services: Services }): Promise<WorkspaceProxy[]> {
  const [primary, rows] = await Promise.all([loadPrimaryProxy(db, services), listProxyRows(db)]);
  return [presentPrimaryProxy(primary, services), ...rows.map(presentProxy)];
}

/** Where a browser may open apps: every proxy but those that only relay. */
export async function listRegions(call: UserCall): Promise<Regions> {
  call.authorize.require({ type: 'workspace_proxy' }, { sitewide: true });
  const { host } = appHost(call);
  const proxies = await readAllProxies(call);
  return {
    regions: proxies
      .filter(({ derp_only }) => !derp_only)
      .map(({ id, name, display_name, icon_url, healthy, path_app_url, wildcard_hostname }) => ({
        id,
        name,
        display_name,
        icon_url,
        healthy,
        path_app_url,
        wildcard_hostname: isPrimary(call.services, id) ? host : wildcard_hostname,
      })),
  };
}

export async function getProxy(call: UserCall, input: { workspaceproxy: string }): Promise<WorkspaceProxy> {
  call.authorize.require({ type: 'workspace_proxy' }, { sitewide: true });
  if (isPrimary(call.services, input.workspaceproxy)) {
    return presentPrimaryProxy(await loadPrimaryProxy(call.db, call.services), call.services);
  }
  const row = await findProxy(call.db, input.workspaceproxy);
  if (row === null) throw notFound();
  return presentProxy(row);
}
