import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';

export const checkAuthorization = (_call: UserCall, _input: object): Promise<Record<string, boolean>> =>
  Promise.reject(new DomainError('unavailable', 'Not there yet.'));
