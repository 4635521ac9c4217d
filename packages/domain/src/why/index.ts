export * from './why.ts';
export { estimateSeconds } from './why-waiting.ts';
export { failureStage } from './why-failed.ts';
