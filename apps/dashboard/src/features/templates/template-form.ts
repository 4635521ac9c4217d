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

interface Facts {
  readonly name: string;
  readonly description: string;
  readonly icon: string;
}

type SuggestedNames = Readonly<Record<(typeof TEMPLATE_FIELDS)[number], string>>;

export const NOTHING_SUGGESTED: SuggestedNames = { name: '', display_name: '', description: '', icon: '' };

/** What the form is filled with for chosen files: what their `berth.yaml` says, else a name from that of the only file. */
export function suggestedNames(files: readonly { readonly name: string }[], facts: Facts | undefined): SuggestedNames {
  const [only] = files;
  const fileName = only !== undefined && files.length === 1 ? only.name : '';
  return {
    name: suggestedName(facts === undefined || facts.name === '' ? fileName : facts.name),
    display_name: facts?.name.slice(0, 64) ?? '',
    description: facts?.description.slice(0, 127) ?? '',
    icon: facts?.icon.slice(0, 256) ?? '',
  };
}
