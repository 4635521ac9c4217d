/** Bounds that both ends obey. Texts are counted in UTF-16 code units, lists in entries. */
export const PROVISIONER_LIMITS = {
  /** Log lines in one heartbeat. */
  logBatch: 500,
  /** Characters of one log line. */
  logOutput: 8 * 1024,
  /** Longest long poll of `acquireJob`. */
  waitMs: 30_000,
  /** Characters of the base64 form of a driver's state. */
  state: 8 * 1024 * 1024,
  /** Characters of a template's README. */
  readme: 256 * 1024,
  resources: 64,
  agentsPerResource: 16,
  appsPerAgent: 64,
  scriptsPerAgent: 64,
  metadataPerAgent: 64,
  metadataPerResource: 64,
  parameters: 128,
  options: 128,
  variables: 128,
  /** Characters of a script. */
  script: 64 * 1024,
  environment: 256,
  timings: 1000,
  /** Characters of a parameter's or variable's value. */
  value: 8 * 1024,
} as const;
