export { beatReplica, registerReplica, stopReplica } from './heartbeat.ts';
