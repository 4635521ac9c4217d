import type { Outputs } from '../../api/trpc.ts';

export type Organization = Outputs['organizations']['list'][number];

/** What people call an organization, or anything else with a name for people: that name where there is one. */
export function organizationTitle({ name, display_name: title }: { readonly name: string; readonly display_name: string }): string {
  return title === '' ? name : title;
}
