import { defineGroup } from '../../frame/declare.ts';
import { createToken } from './create.ts';
import { listTokens } from './list.ts';
import { removeToken } from './remove.ts';

export const tokens = defineGroup({
  name: 'tokens',
  summary: 'Manage your API tokens',
  commands: [listTokens, createToken, removeToken],
});
