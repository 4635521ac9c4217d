import { nameProblem, passwordProblem } from '@berth/domain';
import type { User } from './user-words.ts';

export type NewLoginType = Extract<User['login_type'], 'password' | 'oidc' | 'codehost' | 'none'>;

export interface NewUser {
  readonly email: string;
  readonly username: string;
  readonly name: string;
  readonly login_type: NewLoginType;
  readonly password: string;
  readonly organization_ids: string[];
}

export const NEW_USER_FIELDS = ['email', 'username', 'name', 'login_type', 'password', 'organization_ids'] as const;

/** The rules of the form, which are those of the server; null means fine. */
export const NEW_USER_RULES = {
  email: (value: string) => nameProblem('email', value.trim()),
  username: (value: string) => nameProblem('name', value),
  name: (value: string) => nameProblem('real_name', value.trim()),
  password: (value: string, { login_type: type }: NewUser) => (type === 'password' ? passwordProblem(value) : null),
  organization_ids: (value: readonly string[]) => (value.length === 0 ? 'Choose at least one organization.' : null),
};

/** What is sent: only who signs in with a password has one. */
export function newUserRequest(user: NewUser): NewUser {
  return {
    ...user,
    email: user.email.trim(),
    name: user.name.trim(),
    password: user.login_type === 'password' ? user.password : '',
  };
}
