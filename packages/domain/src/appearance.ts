/** What administrators may put before everybody: the rules that the server and the dashboard share. */

export const APPLICATION_NAME_MAX = 64;
export const LOGO_URL_MAX = 65_536;
export const BANNERS_MAX = 10;
export const BANNER_TEXT_MAX = 1000;
export const SUPPORT_LINK_ICONS = ['bug', 'chat', 'docs'] as const;

export const BANNER_COLOR = /^#[0-9a-f]{6}$/i;

const LOGO_DATA = /^data:image\/(?:png|jpeg|webp|svg\+xml);base64,[A-Za-z0-9+/]+={0,2}$/;

/** Why a text cannot be the address of a logo; null when it can. An empty one means the product's own. */
export function logoProblem(url: string): string | null {
  if (url === '' || LOGO_DATA.test(url)) return null;
  if (url.startsWith('data:')) return 'must be an image as base64: data:image/png, jpeg, webp or svg+xml';
  const parsed = URL.parse(url);
  if (parsed === null || parsed.protocol !== 'https:') return 'must be an https address, or an image as data:image/…;base64,…';
  return parsed.username === '' && parsed.password === '' ? null : 'must not have credentials in it';
}

export type BannerPart =
  | { readonly kind: 'text' | 'strong'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string };

const MARKUP = /\[([^\]\n]+)\]\(([^)\s]*)\)|\*\*([^*\n]+)\*\*/g;

/** Whether a link in a banner may lead there: to a page or an address for mail, never to a script. */
export function isSafeLink(href: string): boolean {
  if (/^\/(?![/\\])/.test(href)) return true;
  const url = URL.parse(href);
  return url !== null && /^(?:https?|mailto):$/.test(url.protocol);
}

/** A banner's text as what it shows: plain words, `**strong**` ones, and `[words](address)`. A link that is not safe stays text. */
export function bannerParts(text: string): readonly BannerPart[] {
  const parts: BannerPart[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKUP)) {
    const [whole, words, href, strong] = match;
    if (match.index > end) parts.push({ kind: 'text', text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (words !== undefined && href !== undefined && isSafeLink(href)) parts.push({ kind: 'link', text: words, href });
    else parts.push({ kind: 'text', text: whole });
  }
  if (end < text.length) parts.push({ kind: 'text', text: text.slice(end) });
  return parts;
}

/** Why a banner's text is refused; null when it is fine. */
export function bannerTextProblem(text: string): string | null {
  for (const [, , href] of text.matchAll(MARKUP)) {
    if (href !== undefined && !isSafeLink(href)) return 'has a link that is not http, https, mailto or a path of this server';
  }
  return null;
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The colour of words on `background` (`#rrggbb`) that contrasts more, black or white, and its ratio: never under 4.5 to 1. */
export function wordsOn(background: string): { readonly color: '#000000' | '#ffffff'; readonly contrast: number } {
  const light = luminance(background);
  const white = 1.05 / (light + 0.05);
  const black = (light + 0.05) / 0.05;
  return white >= black ? { color: '#ffffff', contrast: white } : { color: '#000000', contrast: black };
}
