export { Traffic, TrafficTotals } from './traffic.ts';
