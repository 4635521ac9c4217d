export * from './why.ts';
export { estimateSeconds } from './why-waiting.ts';
