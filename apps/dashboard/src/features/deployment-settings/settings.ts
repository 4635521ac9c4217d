import type { Outputs } from '../../api/trpc.ts';
import type { Source } from './sources.ts';

export type Setting = Outputs['deployment']['config']['options'][number];

/** What a setting goes by in addresses and lists: its variable, or its place in the settings file. */
export function settingId({ env, yaml }: Pick<Setting, 'env' | 'yaml'>): string {
  return env === '' ? yaml : env;
}

interface Wanted {
  /** Each word must occur in a setting's names, its description or its value. */
  readonly q: string;
  readonly source: Source | undefined;
}

/** The settings that are looked for, by group in the order of the server. */
export function settingsByGroup(settings: readonly Setting[], { q, source }: Wanted): [group: string, settings: Setting[]][] {
  const words = q
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const found = settings.filter((setting) => {
    if (source !== undefined && (setting.value_source === 'default') !== (source === 'default')) return false;
    const text = [setting.name, setting.env, setting.yaml, setting.group.name, setting.description, valueText(setting)]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const groups = new Map<string, Setting[]>();
  for (const setting of found) groups.set(setting.group.name, [...(groups.get(setting.group.name) ?? []), setting]);
  return [...groups];
}

export function isSecret({ annotations }: Pick<Setting, 'annotations'>): boolean {
  return annotations['secret'] === 'true';
}

/** The value in force, as text; empty for a secret and where the server has its own way. */
export function valueText({ value }: Pick<Setting, 'value'>): string {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export interface DescriptionPart {
  readonly kind: 'text' | 'code' | 'emphasis';
  readonly text: string;
}

const MARKUP = /`([^`]+)`|\[([^\]]+)\]\([^)]*\)|(?<![A-Za-z0-9])_([^_]+)_(?![A-Za-z0-9])/g;

/** A description as it is shown: links are words, since they lead to files of the source. */
export function descriptionParts(markdown: string): DescriptionPart[] {
  const parts: DescriptionPart[] = [];
  let end = 0;
  for (const match of markdown.matchAll(MARKUP)) {
    const [whole, code, words, emphasis] = match;
    if (match.index > end) parts.push({ kind: 'text', text: markdown.slice(end, match.index) });
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis });
    else parts.push({ kind: 'text', text: words ?? whole });
    end = match.index + whole.length;
  }
  if (end < markdown.length) parts.push({ kind: 'text', text: markdown.slice(end) });
  return parts;
}
