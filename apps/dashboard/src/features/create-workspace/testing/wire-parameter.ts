import type { TemplateVersionParameter } from '@berth/api/contract/template-versions';

/** A parameter as the server sends it: optional text without rules, unless `part` says otherwise. */
export function wireParameter(part: Partial<TemplateVersionParameter> & { name: string }): TemplateVersionParameter {
  return {
    display_name: '',
    description: '',
    description_plaintext: '',
    type: 'string',
    default_value: '',
    required: false,
    mutable: true,
    ephemeral: false,
    icon: '',
    options: [],
    validation_error: '',
    validation_regex: '',
    validation_min: null,
    validation_max: null,
    validation_monotonic: '',
    condition: null,
    ...part,
  };
}
