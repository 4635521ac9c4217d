/** The program that the tests run in place of the sources, such as `apps/cli/dist/berth.mjs`; empty for the sources. */
export const PROGRAM_UNDER_TEST = process.env.BERTH_CLI_PROGRAM ?? '';

/** What an installed program needs of the environment: it starts Node by its name. */
export const SEARCH_PATH = process.env.PATH ?? '';
