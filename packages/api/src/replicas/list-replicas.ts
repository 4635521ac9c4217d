import type { UserCall } from '../kernel/procedures.ts';
import type { Replica } from './contract.ts';
import { aliveReplicas } from './alive.ts';
import { presentReplica } from './presenter.ts';

/** The replicas that are running, oldest first. @throws not_found for who may not read them. */
export async function listReplicas(call: UserCall): Promise<Replica[]> {
  call.authorize.require({ type: 'replicas' });
  return (await aliveReplicas(call.db)).map(presentReplica);
}
