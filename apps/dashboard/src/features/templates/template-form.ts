import { nameProblem } from '@berth/domain';

export interface TemplateNames {
  readonly organization: string;
  readonly name: string;
  readonly display_name: string;
  readonly description: string;
  readonly icon: string;
}

/** Fields of the form that show their own refusals. */
export const TEMPLATE_FIELDS = ['name', 'display_name', 'description', 'icon'] as const;

export const TEMPLATE_RULES = {
  name: (value: string) => nameProblem('name', value.trim()),
  display_name: (value: string) => (value === '' ? null : nameProblem('display_name', value.trim())),
};

/** A name for a template out of what its folder, file or starter is called; empty when nothing of that can stand in a name. */
export function suggestedName(text: string): string {
  return text
    .toLowerCase()
    .replace(/\.(?:tar|tar\.gz|tgz|zip|ya?ml|tf)$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 32)
    .replace(/-+$/, '');
}
