import { nameProblem } from '@berth/domain';
import type { Outputs } from '../../api/trpc.ts';

export type Proxy = Outputs['workspaceProxies']['list'][number]['regions'][number];

export const PRIMARY = 'primary';

export const STATUS_LOOKS = {
  ok: { label: 'Well', color: 'green', meaning: 'It answers.' },
  unreachable: { label: 'Unreachable', color: 'red', meaning: 'It registered, and does not answer.' },
  unhealthy: { label: 'Unhealthy', color: 'orange', meaning: 'It answers that something is wrong with it.' },
  unregistered: { label: 'Not registered', color: 'gray', meaning: 'No proxy has come with its token yet.' },
} as const satisfies Record<Proxy['status']['status'], { label: string; color: string; meaning: string }>;

export const PROXY_FIELDS = ['name', 'display_name', 'icon'] as const;

export interface ProxyValues {
  readonly name: string;
  readonly display_name: string;
  readonly icon: string;
}

export const PROXY_RULES = {
  name: (name: string): string | null => nameProblem('proxy_name', name.trim()),
  display_name: (name: string): string | null => (name.trim() === '' ? null : nameProblem('display_name', name.trim())),
};

/** What people call it. */
export function proxyTitle({ name, display_name: title }: Pick<Proxy, 'name' | 'display_name'>): string {
  return title === '' ? name : title;
}
