import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { ListProvisionerDaemonsInput, ProvisionerDaemonList, QueueInput, QueuedJob, routes } from './contract.ts';
import { readQueue } from './read-queue.ts';
import { listProvisionerDaemons } from './read-daemons.ts';

export const provisionerDaemonsRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'provisioner_daemon:read' })
    .input(ListProvisionerDaemonsInput)
    .output(ProvisionerDaemonList)
    .query(({ ctx, input }) => listProvisionerDaemons(ctx, input)),

  /** What waits for a daemon, oldest first. */
  queue: userProcedure
    .meta({ permission: 'provisioner_daemon:read' })
    .input(QueueInput)
    .output(z.array(QueuedJob))
    .query(({ ctx, input }) => readQueue(ctx, input)),
});
