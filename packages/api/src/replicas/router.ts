import { z } from 'zod';
import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { Replica, routes } from './contract.ts';
import { listReplicas } from './list-replicas.ts';

export const replicasRouter = t.router({
  list: userProcedure
    .meta({ ...routes.list, permission: 'replicas:read' })
    .input(z.object({}))
    .output(z.array(Replica))
    .query(({ ctx }) => listReplicas(ctx)),
});
