import { defineGroup } from '../../frame/declare.ts';
import { exportAudit } from './export.ts';
import { listAudit } from './list.ts';
import { verifyAudit } from './verify.ts';

export const audit = defineGroup({
  name: 'audit',
  summary: 'Search, export and verify the audit log',
  commands: [listAudit, exportAudit, verifyAudit],
});
