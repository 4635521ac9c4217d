import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';
import type { Role } from './contract.ts';

const later = () => new DomainError('unavailable', 'Not there yet.');
export const createRole = (_call: UserCall, _input: object): Promise<Role[]> => Promise.reject(later());
export const updateRole = (_call: UserCall, _input: object): Promise<Role[]> => Promise.reject(later());
export const deleteRole = (_call: UserCall, _input: object): Promise<Role[]> => Promise.reject(later());
