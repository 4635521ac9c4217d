/** `/@owner/workspace[.agent]/apps/slug/rest?query` */
const APP_URL = /^\/@([^/?#]+)\/([^/?#.]+)(?:\.([^/?#]+))?\/apps\/([^/?#]+)(\/[^?#]*)?(\?[^#]*)?$/;

export interface AppPath {
  readonly owner: string;
  readonly workspace: string;
  readonly agent: string | undefined;
  readonly slug: string;
  /** Path and query as the app sees them; null when the trailing slash is missing, without which relative links break. */
  readonly rest: string | null;
}

/** What the URL of a path app names; null for every other URL. */
export function parseAppUrl(url: string): AppPath | null {
  const match = APP_URL.exec(url);
  if (match === null) return null;
  const [, owner = '', workspace = '', agent, slug = '', path, query = ''] = match;
  // No name has it, and the database takes no text with it.
  if (/%00/.test(url.slice(0, url.length - query.length - (path?.length ?? 0)))) return null;
  try {
    return {
      owner: decodeURIComponent(owner),
      workspace: decodeURIComponent(workspace),
      agent: agent === undefined ? undefined : decodeURIComponent(agent),
      slug: decodeURIComponent(slug),
      rest: path === undefined ? null : `${path}${query}`,
    };
  } catch {
    return null;
  }
}

/** Whether a request is for a workspace's app, and not for a page of ours. */
export function isAppUrl(url: string): boolean {
  return APP_URL.test(url);
}
