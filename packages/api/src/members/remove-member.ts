import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';

export const removeMember = (_call: UserCall, _input: object): Promise<void> =>
  Promise.reject(new DomainError('unavailable', 'Not there yet.'));
