/**
 * `${{ group.name }}` in the texts of a template. Filling in happens after the file was read as YAML, so a value can
 * never become structure; and only in texts that no shell reads, so it can never become code.
 */

/** What a template can ask for besides its own parameters and variables, each as text. */
export const KNOWN_REFERENCES = [
  'workspace.id',
  'workspace.name',
  'owner.id',
  'owner.username',
  'owner.email',
  'owner.name',
  'organization.id',
  'organization.name',
  'template.id',
  'template.name',
  'template.version',
  'server.access_url',
] as const;
export type KnownReference = (typeof KNOWN_REFERENCES)[number];

/** `group.name` → its value. */
export type Scope = ReadonlyMap<string, string>;

const EXPRESSION = /\$\{\{(.*?)\}\}/gs;
const REFERENCE = /^\s*([a-z]+)\.([A-Za-z0-9_-]+)\s*$/;

/** Why the expressions of `text` cannot be filled in, or undefined. `defined` says which references exist. */
export function findFault(text: string, defined: (reference: string) => boolean): string | undefined {
  for (const [whole, inner = ''] of text.matchAll(EXPRESSION)) {
    const [, group, name] = REFERENCE.exec(inner) ?? [];
    if (group === undefined) return `${whole} is not of the form \${{ group.name }}`;
    if (!defined(`${group}.${name}`)) return `${group}.${name} does not exist`;
  }
  return text.replaceAll(EXPRESSION, '').includes('${{') ? '${{ without its }}' : undefined;
}

/** `text` with every expression replaced by its value, once: a value that looks like an expression stays as it is. */
export function interpolate(text: string, scope: Scope): string {
  return text.replaceAll(EXPRESSION, (whole, inner: string) => {
    const [, group, name] = REFERENCE.exec(inner) ?? [];
    const value = scope.get(`${group}.${name}`);
    if (value === undefined) throw new Error(`${whole} has no value.`);
    return value;
  });
}
