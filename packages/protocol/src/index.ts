export * from './agent.ts';
export * from './provisioner.ts';
