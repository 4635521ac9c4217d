import { timestamp, uuid } from '@berth/core';
import { z } from 'zod';
import { route } from '../kernel/route.ts';

export const Replica = z
  .object({
    id: uuid(),
    hostname: z.string(),
    created_at: timestamp().meta({ description: 'When the process started.' }),
    relay_address: z.string().meta({ description: 'Where the other replicas reach it; empty when they cannot.' }),
    region_id: z.int().meta({ description: 'Always 0: replicas of one deployment are of one region.' }),
    error: z.string().meta({ description: 'What is wrong, as this replica sees it; empty when nothing is.' }),
    database_latency: z.int().meta({ description: 'Microseconds of a round trip to the database.' }),
  })
  .meta({ id: 'Replica', description: 'A running server process of this deployment.' });
export type Replica = z.output<typeof Replica>;

export const routes = {
  list: route({
    method: 'GET',
    path: '/replicas',
    tag: 'Enterprise',
    id: 'get-active-replicas',
    summary: 'List the running replicas',
    description: 'Those that gave a sign of life in the last 15 seconds, oldest first; 100 at most.',
    errors: ['not_found'],
  }),
};
