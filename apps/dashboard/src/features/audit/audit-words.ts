import { AUDIT_ACTIONS, AUDIT_RESOURCE_TYPES, BUILD_REASONS } from '@berth/domain';
import type { Outputs } from '../../api/trpc.ts';

export type AuditLog = Outputs['audit']['page']['audit_logs'][number];

/** "oauth2_provider_app" as people read it. */
export function words(value: string): string {
  const text = value.replaceAll('_', ' ').replace('oauth2', 'OAuth2').replace('api', 'API').replace('git ssh', 'Git SSH');
  return `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
}

const options = (values: readonly string[]): { value: string; label: string }[] => values.map((value) => ({ value, label: words(value) }));

export const RESOURCE_TYPE_OPTIONS = options(AUDIT_RESOURCE_TYPES).toSorted((a, b) => a.label.localeCompare(b.label));
export const ACTION_OPTIONS = options(AUDIT_ACTIONS);
export const BUILD_REASON_OPTIONS = options(BUILD_REASONS);

export interface SentencePart {
  readonly text: string;
  readonly isName: boolean;
}

/** The sentence of a row, with its names told apart so that they can be set off. */
export function sentence(row: Pick<AuditLog, 'description' | 'user' | 'resource_target'>): SentencePart[] {
  const names: Readonly<Record<string, string>> = { '{user}': row.user?.username ?? 'Someone', '{target}': row.resource_target };
  return row.description
    .split(/(\{user\}|\{target\})/)
    .map((text) => ({ text: names[text] ?? text, isName: text in names }))
    .filter(({ text }) => text !== '');
}

/** What fits on a line stays on one. */
const LINE_MAX = 60;

/** A value of a diff as text: lists and objects over several lines when they are long, so that their lines can be compared. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'string') return /^[[{]/.test(value) ? prettyJson(value) : value;
  const line = JSON.stringify(value);
  return line.length <= LINE_MAX && (typeof value !== 'object' || Array.isArray(value)) ? line : JSON.stringify(value, null, 2);
}

/** Text that is JSON, as an object of it is shown; any other as it is. */
function prettyJson(text: string): string {
  try {
    return valueText(JSON.parse(text));
  } catch {
    return text;
  }
}
