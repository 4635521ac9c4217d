export * from './why.ts';
export { estimateSeconds, waitingWhy } from './why-waiting.ts';
export { failureStage } from './why-failed.ts';
export * from './unserved.ts';
