import { webUrl } from '../agents/app-url.ts';

/** Opens an address that a terminal shows, if it is one of the web; what opens learns nothing of this page. */
export function openWebAddress(address: string): void {
  const url = webUrl(address);
  if (url !== undefined) window.open(url, '_blank', 'noopener,noreferrer');
}
