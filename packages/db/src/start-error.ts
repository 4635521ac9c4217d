/** Why the database cannot be used, as a sentence with its cure for the person who starts Berth: show the message, not the stack. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
}
