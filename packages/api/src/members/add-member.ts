import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';
import type { OrganizationMember } from './contract.ts';

export const addMember = (_call: UserCall, _input: object): Promise<OrganizationMember> =>
  Promise.reject(new DomainError('unavailable', 'Not there yet.'));
