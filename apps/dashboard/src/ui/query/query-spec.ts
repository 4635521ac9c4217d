import type { AnySearchSpec } from '@berth/domain';

/** A value that a key may have, as it is offered. */
export interface QueryValue {
  readonly value: string;
  /** Beside the value, for people: the display name of a template. */
  readonly hint?: string;
}

/** A key of a search language, as it is offered while a query is typed. */
export interface QueryKey {
  /** As it is written, without its colon. */
  readonly key: string;
  /** What it asks, in a few words. */
  readonly hint: string;
  /** What may stand behind the colon: a closed set, or asked of the server by what was typed so far; absent: any text. */
  readonly values?: readonly QueryValue[] | ((typed: string) => Promise<readonly QueryValue[]>);
}

/** A search language: its rules, which the server has, too, and its keys in the order in which they are offered. */
export interface QuerySpec {
  readonly rules: AnySearchSpec;
  readonly keys: readonly QueryKey[];
}
