import { defineGroup } from '../../frame/declare.ts';
import { archiveTemplate } from './archive.ts';
import { deleteTemplate } from './delete.ts';
import { initTemplate } from './init.ts';
import { listTemplates } from './list.ts';
import { promoteTemplate } from './promote.ts';
import { pullTemplate } from './pull.ts';
import { pushTemplate } from './push.ts';
import { showTemplate } from './show.ts';
import { testTemplate } from './test.ts';
import { listVersions } from './versions.ts';

export const templates = defineGroup({
  name: 'templates',
  aliases: ['template'],
  summary: 'Manage templates, from which workspaces are created',
  commands: [
    listTemplates,
    showTemplate,
    listVersions,
    initTemplate,
    testTemplate,
    pushTemplate,
    pullTemplate,
    promoteTemplate,
    archiveTemplate,
    deleteTemplate,
  ],
});
