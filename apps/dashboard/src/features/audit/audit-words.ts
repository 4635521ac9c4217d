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

/** A value of a diff as text. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'empty';
  if (typeof value === 'string') return value;
  return JSON.stringify(value, null, Array.isArray(value) || typeof value !== 'object' ? 0 : 2);
}

const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\b(?:HeadlessChrome|Chrome)\//, 'Chrome'],
  [/\bFirefox\//, 'Firefox'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^berth/i, 'Berth CLI'],
];

/** The program behind a user agent, in a word; the beginning of the text when it is none that we know. */
export function programName(userAgent: string): string {
  if (userAgent === '') return '';
  return BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? userAgent.slice(0, 24);
}
