import { defineGroup } from '../../frame/declare.ts';
import { createUser } from './create.ts';
import { deleteUser } from './delete.ts';
import { listUsers } from './list.ts';
import { userRoles } from './roles.ts';
import { showUser } from './show.ts';
import { activateUser, suspendUser } from './status.ts';

export const users = defineGroup({
  name: 'users',
  summary: 'Manage users',
  commands: [listUsers, showUser, createUser, suspendUser, activateUser, deleteUser, userRoles],
});
