import { textParam } from '../ui/search-params.ts';

/** What the address of the form for a new workspace may say: `?template=node&name=shop&param.size=large`. */
export type NewWorkspaceSearch = {
  /** A template's id, its name, or `organization/name`. */
  readonly template?: string;
  readonly name?: string;
} & { readonly [parameter: `param.${string}`]: string };

const PREFIX = 'param.';
const TEMPLATE_LENGTH = 130;
const NAME_LENGTH = 64;
const VALUE_LENGTH = 8192;
const PARAMETERS_MAX = 100;

/** The part of a search that fills in the form; whatever else it says is left out. */
export function newWorkspaceSearch(search: Record<string, unknown>): NewWorkspaceSearch {
  const template = textParam(search['template'], TEMPLATE_LENGTH);
  const name = textParam(search['name'], NAME_LENGTH);
  const parameters = Object.entries(search)
    .filter(([key, value]) => key.startsWith(PREFIX) && key.length > PREFIX.length && typeof value === 'string')
    .slice(0, PARAMETERS_MAX)
    .map(([key, value]) => [key, String(value).slice(0, VALUE_LENGTH)] as const);
  return {
    ...(template === undefined ? {} : { template }),
    ...(name === undefined ? {} : { name }),
    ...Object.fromEntries(parameters),
  };
}

/** The values of parameters that an address gives, by the parameters' names. */
export function parametersOf(search: NewWorkspaceSearch): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(search).flatMap(([key, value]) => (key.startsWith(PREFIX) ? [[key.slice(PREFIX.length), value] as const] : [])),
  );
}

/** The same the other way round. */
export function searchOf(values: Readonly<Record<string, string>>): { readonly [parameter: `param.${string}`]: string } {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${PREFIX}${name}`, value]));
}
