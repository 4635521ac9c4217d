/**
 * `BERTH_FUZZ_SEED` walks another way than the usual one; `BERTH_FUZZ_RUNS` and `BERTH_FUZZ_LIMIT_MS` walk further for each procedure
 * and door: as many attempts as fit, but at least `runsMin`.
 */
export const FUZZ = {
  seed: Number(process.env['BERTH_FUZZ_SEED'] ?? 20_260_803),
  runs: Number(process.env['BERTH_FUZZ_RUNS'] ?? 40),
  limitMs: Number(process.env['BERTH_FUZZ_LIMIT_MS'] ?? 150),
  runsMin: 10,
};
