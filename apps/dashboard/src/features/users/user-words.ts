import type { Outputs } from '../../api/trpc.ts';

export type User = Outputs['users']['list']['users'][number];

/** What people call somebody: their name where it is known. */
export function personName({ name, username }: { readonly name: string; readonly username: string }): string {
  return name === '' ? username : name;
}

export const STATUS_LOOKS = {
  active: { label: 'Active', color: 'green', meaning: 'Uses Berth.' },
  dormant: { label: 'Dormant', color: 'gray', meaning: 'Has not been here for a long time, or never. Becomes active at the next sign-in.' },
  suspended: { label: 'Suspended', color: 'orange', meaning: 'Cannot sign in, and no token of theirs works.' },
} as const satisfies Record<User['status'], { label: string; color: string; meaning: string }>;

/** How somebody signs in, in words. */
export function loginTypeWords(type: User['login_type']): string {
  switch (type) {
    case 'password':
      return 'Password';
    case 'oidc':
      return 'Single sign-on';
    case 'codehost':
      return 'Code host';
    case 'token':
      return 'Token';
    case 'none':
      return 'Cannot sign in';
    case '':
      return 'Not known';
  }
}
