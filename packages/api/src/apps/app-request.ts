/** What the address of an app names, as its visitor wrote it. */
export interface AppRequest {
  readonly accessMethod: 'path' | 'subdomain';
  /** What the app's own paths begin after; ends with a slash. */
  readonly basePath: string;
  /** A user name, an id, or `me` where the visitor is known by the address itself. */
  readonly owner: string;
  readonly workspace: string;
  /** Empty where the address names none, which is enough as long as one agent has the app. */
  readonly agent: string;
  readonly target: AppRequestTarget;
}

export type AppRequestTarget =
  | { readonly kind: 'app'; readonly slug: string }
  | { readonly kind: 'port'; readonly port: number; readonly protocol: 'http' | 'https' };

/** `web`, `8080`, or `8443s` for a port that speaks TLS. */
export function slugOrPort(target: AppRequestTarget): string {
  return target.kind === 'app' ? target.slug : `${target.port}${target.protocol === 'https' ? 's' : ''}`;
}
