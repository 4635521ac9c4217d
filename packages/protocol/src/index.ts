export * from './agent.ts';
export * from './provisioner/index.ts';
