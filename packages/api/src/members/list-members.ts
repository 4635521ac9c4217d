import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';
import type { OrganizationMemberWithUser } from './contract.ts';

export const listMembers = (_call: UserCall, _input: object): Promise<OrganizationMemberWithUser[]> =>
  Promise.reject(new DomainError('unavailable', 'Not there yet.'));
