import { counted } from '@berth/core';
import type { Template } from '@berth/api/contract/templates';
import { duration } from '../../ui/relative-time.ts';

/** The organization of a template as people read it. */
export function organizationOf(template: Pick<Template, 'organization_name' | 'organization_display_name'>): string {
  return template.organization_display_name === '' ? template.organization_name : template.organization_display_name;
}

/** How many used it lately, as the cards say it. */
export function usedBy({ active_user_count: count }: Pick<Template, 'active_user_count'>): string {
  if (count === 0) return 'nobody';
  return counted(count, 'developer');
}

/** How long a start usually takes; empty while nobody knows. */
export function typicalBuildTime({ build_time_stats: stats }: Pick<Template, 'build_time_stats'>): string {
  const median = stats['start']?.p50;
  return median === undefined || median === null ? '' : duration(median);
}

/** What runs the files of a template. */
export function driverName(provisioner: Template['provisioner']): string {
  switch (provisioner) {
    case 'process':
      return 'Processes on the host';
    case 'container':
      return 'Containers';
    case 'terraform':
      return 'Terraform';
    case 'echo':
      return 'Nothing: a rehearsal without resources';
  }
}
