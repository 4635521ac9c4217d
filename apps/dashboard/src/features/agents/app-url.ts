import type { WorkspaceApp } from '@berth/api/contract/agents';

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

/** Where an app opens: outside, at its own address; inside, through this server. Undefined when it cannot be opened from here. */
export function appUrl(app: Pick<WorkspaceApp, 'external' | 'url' | 'slug' | 'subdomain'>, place: AppPlace): string | undefined {
  if (app.external) {
    const url = URL.parse(app.url);
    return url === null || UNSAFE.has(url.protocol) ? undefined : url.href;
  }
  if (app.subdomain || app.url === '') return undefined;
  const workspace = `${encodeURIComponent(place.workspaceName)}.${encodeURIComponent(place.agentName)}`;
  return `/@${encodeURIComponent(place.ownerName)}/${workspace}/apps/${encodeURIComponent(app.slug)}/`;
}
