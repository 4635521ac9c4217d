/** The host that an address leads to, as people read it; the text itself when it is no address. */
export function hostOf(address: string): string {
  return URL.parse(address)?.host || address;
}

/** An address of the web, safe to send the browser to; undefined for a script, a file or no address at all. */
export function webAddress(address: string): string | undefined {
  const url = URL.parse(address);
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined;
}
