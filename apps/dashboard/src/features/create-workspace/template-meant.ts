interface Named {
  readonly id: string;
  readonly name: string;
  readonly organization_name: string;
}

/** The template that an address means: by its id, as `organization/name`, or by its name alone where one has it, or the first of those that do. */
export function templateMeant<T extends Named>(templates: readonly T[], wanted: string): T | undefined {
  return (
    templates.find(({ id }) => id === wanted) ??
    templates.find((template) => `${template.organization_name}/${template.name}` === wanted) ??
    templates.find(({ name }) => name === wanted)
  );
}
