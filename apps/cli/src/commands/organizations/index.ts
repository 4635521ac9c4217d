import { defineGroup } from '../../frame/declare.ts';
import { createOrganization } from './create.ts';
import { listOrganizations } from './list.ts';
import { organizationMembers } from './members.ts';
import { showOrganization } from './show.ts';

export const organizations = defineGroup({
  name: 'organizations',
  aliases: ['orgs'],
  summary: 'Manage organizations and their members',
  commands: [listOrganizations, showOrganization, createOrganization, organizationMembers],
});
