const NAMES = ['__Host-berth_csrf', 'berth_csrf'];

/** The CSRF token of this session from the text of `document.cookie`; empty before sign-in. */
export function csrfToken(cookies: string): string {
  for (const name of NAMES) {
    const pair = cookies.split('; ').find((part) => part.startsWith(`${name}=`));
    if (pair !== undefined) return decodeURIComponent(pair.slice(name.length + 1));
  }
  return '';
}
