import { useEffect, useEffectEvent } from 'react';

/** Settings as they stand in the forms, so far as they differ from what is saved: a dry run may try them first. */

export interface OrganizationDraft {
  readonly field: string;
  readonly organization_assign_default: boolean;
  readonly mapping: Record<string, string[]>;
}

export interface GroupDraft {
  readonly field: string;
  readonly regex_filter: string | null;
  readonly auto_create_missing_groups: boolean;
  readonly mapping: Record<string, string[]>;
}

export interface RoleDraft {
  readonly field: string;
  readonly mapping: Record<string, string[]>;
}

/** By organization id, as the server takes them. */
export interface SyncDrafts {
  readonly organization?: OrganizationDraft;
  readonly groups?: Record<string, GroupDraft>;
  readonly roles?: Record<string, RoleDraft>;
}

/** Whether a draft says something else than what is saved. The order of keys means nothing. */
export function differs(draft: object, saved: object): boolean {
  return Object.entries(draft).some(([key, value]) => stable(value) !== stable(Reflect.get(saved, key)));
}

function stable(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Tells of a draft for as long as it differs from what is saved, and of its end. */
export function useDraft<D extends object>(draft: D, saved: object, onDraft: (draft: D | undefined) => void): void {
  const text = differs(draft, saved) ? JSON.stringify(draft) : '';
  // What it says is what counts, not which object it is.
  const tell = useEffectEvent((said: string) => onDraft(said === '' ? undefined : draft));
  useEffect(() => tell(text), [text]);
}
