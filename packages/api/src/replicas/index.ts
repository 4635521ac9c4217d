export { aliveReplicas } from './alive.ts';
export { beatReplica, registerReplica, stopReplica } from './heartbeat.ts';
export { readTraffic } from './traffic.ts';
