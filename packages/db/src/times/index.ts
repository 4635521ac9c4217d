export { acknowledgeTimes, repairTimes } from './repair.ts';
export type { Repair } from './repair.ts';
export { recordCorrectTimes, requireCorrectTimes } from './state.ts';
