import { defineGroup } from '../../frame/declare.ts';
import { createGroup } from './create.ts';
import { deleteGroup } from './delete.ts';
import { editGroup } from './edit.ts';
import { listGroups } from './list.ts';
import { showGroup } from './show.ts';

export const groups = defineGroup({
  name: 'groups',
  summary: 'Manage groups, whose members share permissions and a quota',
  commands: [listGroups, showGroup, createGroup, editGroup, deleteGroup],
});
