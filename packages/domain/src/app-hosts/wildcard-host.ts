/** The domain whose names are apps of workspaces: `*.apps.example.com`, or `*--apps.example.com`. */
export interface WildcardHost {
  /** As it was set, in lower case, without its port. */
  readonly pattern: string;
  /** What every app's host ends with: the pattern without its star. */
  readonly suffix: string;
  /** `:8443`, where apps are reached on another port than the scheme's own; else empty. */
  readonly port: string;
}

const LABEL = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;

/** Why a text is no wildcard host, or null. The rules: one `*`, at the start; two labels at least; no scheme, no path. */
export function wildcardHostProblem(text: string): string | null {
  if (text.includes('://')) return 'must have no scheme: *.apps.example.com';
  const { name, port } = split(text);
  if (!name.startsWith('*') || name.includes('*', 1)) return 'must have one star, at its start: *.apps.example.com';
  if (port !== '' && !/^:\d{1,5}$/.test(port)) return 'must end with a name, or with a port such as :8443';
  const [first = '', ...rest] = name.slice(1).split('.');
  if (rest.length === 0) return 'must have two labels at least, such as *.localhost';
  if (first !== '' && !/^(?:[a-z0-9-]*[a-z0-9])$/.test(first)) return 'must have letters, digits and hyphens only in its first label';
  if (!rest.every((label) => LABEL.test(label))) return 'must be made of labels of letters, digits and hyphens';
  return null;
}

/** Reads a wildcard host; `accessPort` is the port of the access URL, which counts where the text names none. Null when it breaks a rule. */
export function parseWildcardHost(text: string, accessPort = ''): WildcardHost | null {
  if (wildcardHostProblem(text) !== null) return null;
  const { name, port } = split(text);
  return { pattern: name, suffix: name.slice(1), port: port !== '' ? port : accessPort === '' ? '' : `:${accessPort}` };
}

function split(text: string): { readonly name: string; readonly port: string } {
  const [, name = '', port = ''] = /^([^:]*)(:.*)?$/.exec(text.trim().toLowerCase()) ?? [];
  return { name, port };
}
