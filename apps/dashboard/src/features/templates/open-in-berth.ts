import { searchOf } from '../../app/new-workspace-search.ts';
import { searchText } from '../../ui/search-params.ts';

export interface PrefillLink {
  /** Of this server: `https://berth.example.com`. */
  readonly origin: string;
  readonly organization: string;
  readonly template: string;
  /** Of the workspace; empty leaves it to the person. */
  readonly name: string;
  readonly values: Readonly<Record<string, string>>;
}

const LABEL = 'Open in Berth';

/** Where a link leads that fills in the form of a new workspace. */
export function prefillAddress({ origin, organization, template, name, values }: PrefillLink): string {
  const path = `/templates/${encodeURIComponent(organization)}/${encodeURIComponent(template)}/workspace`;
  // A bracket or an apostrophe in the address would end it in Markdown or in HTML.
  const search = searchText({ name, ...searchOf(values) }).replaceAll(
    /[()'[\]]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${origin}${path}${search}`;
}

/** The address as a button for a README. */
export function markdownButton(link: PrefillLink): string {
  return `[![${LABEL}](${link.origin}/icon/open-in-berth.svg)](${prefillAddress(link)})`;
}

/** The same for a web page. */
export function htmlButton(link: PrefillLink): string {
  const address = prefillAddress(link).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<a href="${address}"><img src="${link.origin}/icon/open-in-berth.svg" alt="${LABEL}" height="32"></a>`;
}
