import { defineGroup } from '../../frame/declare.ts';
import { createToken } from './create.ts';
import { listTokens } from './list.ts';
import { removeToken } from './remove.ts';

export const tokens = defineGroup({
  name: 'tokens',
  summary: 'Tokens with which programs act as you',
  commands: [listTokens, createToken, removeToken],
});
