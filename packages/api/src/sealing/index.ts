/**
 * How stored secrets are sealed: `services.sealer.seal(text, sealedContext(table, column, key))`, and `open` with the same context.
 * A new sealed column is named `sealed_…` and listed in `columns.ts`, so that a rotation of the keys reaches it.
 */
export { sealedContext } from './columns.ts';
export { SealingKeyError, requireSealingKeys } from './deployment-keys.ts';
export { resealSecrets } from './reseal.ts';
