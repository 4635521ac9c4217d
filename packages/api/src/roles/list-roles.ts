import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';
import type { AssignableRole } from './contract.ts';

const later = () => new DomainError('unavailable', 'Not there yet.');
export const listSiteRoles = (_call: UserCall): Promise<AssignableRole[]> => Promise.reject(later());
export const listOrganizationRoles = (_call: UserCall, _input: object): Promise<AssignableRole[]> => Promise.reject(later());
