import { EVERYONE_GROUP_NAME, GROUP_NAME_LENGTH, RESERVED_NAMES } from '@berth/domain';

/** A group's name made of what people call it: `R&D Team` becomes `R-D-Team`. Never a reserved word, never empty. */
export function groupNameOf(displayName: string): string {
  const joined = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, GROUP_NAME_LENGTH - 8)
    .replace(/-$/, '');
  const isReserved = [...RESERVED_NAMES, EVERYONE_GROUP_NAME.toLowerCase(), ''].includes(joined.toLowerCase());
  return isReserved ? `${joined === '' ? '' : `${joined}-`}group` : joined;
}
