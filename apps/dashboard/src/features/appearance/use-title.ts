import { useDocumentTitle } from '@mantine/hooks';
import { useBrand } from './brand.ts';

/** The title of the browser's tab: what the page is, and whose. */
export function useTitle(title: string): void {
  const { name } = useBrand();
  useDocumentTitle(`${title} · ${name}`);
}
