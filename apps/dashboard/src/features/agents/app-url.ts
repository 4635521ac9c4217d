import type { WorkspaceApp } from '@berth/api/contract/agents';
import type { AppPort } from '@berth/domain';
import { portPart, subdomainName } from '@berth/domain';

/** The text as an http(s) address, or undefined. What a template or an agent sends is data: it must not run in this page. */
export function webUrl(text: string): string | undefined {
  const url = URL.parse(text);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

/** Schemes that run or show content as this page would; everything else is handed to a program of the reader's own. */
const UNSAFE = new Set(['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:']);

export interface AppPlace {
  readonly ownerName: string;
  readonly workspaceName: string;
  readonly agentName: string;
}

/** The domain of apps: `*.apps.example.com`, with a port where there is one; empty where apps have only paths. */
export type AppHost = string;

type Addressed = Pick<WorkspaceApp, 'external' | 'url' | 'slug' | 'subdomain' | 'subdomain_name'>;

/** Where an app opens: outside, at its own address; inside, on a host of its own or below a path. Undefined when it cannot be opened from here. */
export function appUrl(app: Addressed, place: AppPlace, host: AppHost): string | undefined {
  if (app.external) {
    const url = URL.parse(app.url);
    return url === null || UNSAFE.has(url.protocol) ? undefined : url.href;
  }
  if (app.url === '') return undefined;
  if (app.subdomain) return hostUrl(app.subdomain_name, host);
  const workspace = `${encodeURIComponent(place.workspaceName)}.${encodeURIComponent(place.agentName)}`;
  return `/@${encodeURIComponent(place.ownerName)}/${workspace}/apps/${encodeURIComponent(app.slug)}/`;
}

/** Where a port of a workspace opens. Undefined without a domain of apps, and where the names do not fit into one name of a host. */
export function portUrl(port: Pick<AppPort, 'port' | 'protocol'>, place: AppPlace, host: AppHost): string | undefined {
  const { ownerName: owner, workspaceName: workspace, agentName: agent } = place;
  return hostUrl(subdomainName(portPart(port), { owner, workspace, agent }), host);
}

/** The scheme is that of this page: its server speaks for the hosts of apps too. */
function hostUrl(name: string, host: AppHost): string | undefined {
  return name === '' || host === '' ? undefined : `//${host.replace('*', name)}/`;
}
