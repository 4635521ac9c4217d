/** `BERTH_FUZZ_SEED` walks another way than the usual one; `BERTH_FUZZ_RUNS` walks further for each procedure and door. */
export const FUZZ = {
  seed: Number(process.env['BERTH_FUZZ_SEED'] ?? 20_260_803),
  runs: Number(process.env['BERTH_FUZZ_RUNS'] ?? 40),
  limitMs: Number(process.env['BERTH_FUZZ_LIMIT_MS'] ?? 150),
};
