import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { readChainStatus, verifyRecentAuditLogs } from './chain-status.ts';
import {
  AuditChainStatus,
  AuditLogPage,
  AuditLogSlice,
  AuditRecentVerdict,
  ListAuditLogs,
  PageAuditLogs,
  VerifyRecentAuditLogs,
  routes,
} from './contract.ts';
import { listAuditLogs, pageAuditLogs } from './read-audit-logs.ts';
import { watchAuditLogs } from './watch-audit-logs.ts';

/** For callers that have no signal: a stream that ends with its consumer. */
const never = (): AbortSignal => new AbortController().signal;

export const auditRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'audit_log:read' })
    .input(ListAuditLogs)
    .output(AuditLogPage)
    .query(({ ctx, input }) => listAuditLogs(ctx, input)),

  page: userProcedure
    .meta({ permission: 'audit_log:read' })
    .input(PageAuditLogs)
    .output(AuditLogSlice)
    .query(({ ctx, input }) => pageAuditLogs(ctx, input)),

  chainStatus: userProcedure
    .meta({ ...routes.chainStatus, permission: 'audit_log:read' })
    .output(AuditChainStatus)
    .query(({ ctx }) => readChainStatus(ctx)),

  verifyRecent: userProcedure
    .meta({ ...routes.verifyRecent, permission: 'audit_log:read' })
    .input(VerifyRecentAuditLogs)
    .output(AuditRecentVerdict)
    .query(({ ctx, input }) => verifyRecentAuditLogs(ctx, input)),

  watch: userProcedure.meta({ permission: 'audit_log:read' }).subscription(({ ctx, signal }) => watchAuditLogs(ctx, signal ?? never())),
});
