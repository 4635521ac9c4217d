/**
 * The messages between a provisioner daemon and the server: one zod schema per direction of each `provisionerApi.*`
 * mutation. The daemon is an untrusted client, so every text, list and record has a bound. Texts are counted in
 * UTF-16 code units, lists in entries.
 *
 * A daemon holds a job by a lease: each call about a job carries the `lease_token` it was acquired with, and a call with
 * a lease that is over is refused with `conflict`; the daemon then stops working on that job at once.
 */
export * from './daemon.ts';
export * from './jobs.ts';
export { PROVISIONER_LIMITS } from './limits.ts';
export * from './parameters.ts';
export * from './progress.ts';
export * from './resources.ts';
export { ContainerState, ProcessState, stateProblem } from './states.ts';
