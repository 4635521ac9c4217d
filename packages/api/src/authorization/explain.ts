import { DomainError } from '@berth/core';
import type { UserCall } from '../kernel/procedures.ts';
import type { Explanation } from './contract.ts';

export const explainAuthorization = (_call: UserCall, _input: object): Promise<Explanation> =>
  Promise.reject(new DomainError('unavailable', 'Not there yet.'));
