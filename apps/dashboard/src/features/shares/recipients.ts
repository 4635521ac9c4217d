/** Somebody, or a group, to share with. */
export interface Recipient {
  /** What the field shows: unique among all of them. */
  readonly label: string;
  readonly input: { readonly user: string } | { readonly group_id: string };
}

interface Person {
  readonly user_id: string;
  readonly username: string;
  readonly name: string;
}

interface NamedGroup {
  readonly id: string;
  readonly name: string;
  readonly display_name: string;
}

/** Whom the caller may see in an organization, but for the one whom it all belongs to. */
export function recipientsOf({ people, groups, ownerId }: { people: readonly Person[]; groups: readonly NamedGroup[]; ownerId: string }): {
  readonly people: Recipient[];
  readonly groups: Recipient[];
} {
  return {
    groups: groups.map(({ id, name, display_name: title }) => ({
      label: title === '' || title === name ? `${name} (group)` : `${title} (group ${name})`,
      input: { group_id: id },
    })),
    people: people
      .filter(({ user_id: id }) => id !== ownerId)
      .map(({ user_id: user, username, name }) => ({
        label: name === '' || name === username ? username : `${name} (${username})`,
        input: { user },
      })),
  };
}

/** Who is meant: one of the known ones by the label, else whoever has exactly this username, since not everybody sees everybody. */
export function recipientOf(text: string, known: readonly Recipient[]): Recipient['input'] | undefined {
  const typed = text.trim();
  return known.find(({ label }) => label === typed)?.input ?? (/^[a-z0-9-]+$/i.test(typed) ? { user: typed } : undefined);
}
