import { defineGroup } from '../../frame/declare.ts';
import { createOrganization } from './create.ts';
import { listOrganizations } from './list.ts';
import { organizationMembers } from './members.ts';
import { showOrganization } from './show.ts';

export const organizations = defineGroup({
  name: 'organizations',
  aliases: ['orgs'],
  summary: 'Organizations and who is in them',
  commands: [listOrganizations, showOrganization, createOrganization, organizationMembers],
});
