/** The environment for a measured process: what programs need, without the settings of whoever runs the benchmark. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('BERTH_') && name !== 'NODE_OPTIONS'));
}
