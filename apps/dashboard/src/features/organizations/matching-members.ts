interface Searched {
  readonly username: string;
  readonly name: string;
  readonly email: string;
  readonly roles: readonly { readonly name: string; readonly display_name: string }[];
}

/** Members with every word of `text` somewhere in their names, e-mail address or roles; all of them for an empty text. */
export function matchingMembers<M extends Searched>(members: readonly M[], text: string): M[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return members.filter((member) => {
    const all = [member.username, member.name, member.email, ...member.roles.flatMap((role) => [role.name, role.display_name])];
    const haystack = all.join('\n').toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}
