/** Where the browser goes, leaving this dashboard, to link an account at a service; it comes back to `redirect`, or to the service's page here. */
export function linkAddress(id: string, redirect?: string): string {
  const query = redirect === undefined ? '' : `?${new URLSearchParams({ redirect })}`;
  return `/external-auth/${encodeURIComponent(id)}/callback${query}`;
}
