/** Links of audit rows that have a page here. */
const WITH_PAGE = ['/@', '/users?', '/deployment/oauth2-provider/apps/'];

/** Where the link of an audit row leads, as the router takes it; null when there is no page. */
export function pageOf(link: string): { readonly to: string; readonly search: Record<string, string> } | null {
  if (!WITH_PAGE.some((start) => link.startsWith(start))) return null;
  const { pathname, searchParams } = new URL(link, 'http://berth.invalid');
  return { to: pathname, search: Object.fromEntries(searchParams) };
}
