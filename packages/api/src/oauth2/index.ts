export { grantObject } from './authorize.ts';
export { newCredential } from './credential.ts';
export { endGrants, endGrantsOfApp, endTokens, lockGrants } from './end-grants.ts';
export { purgeExpiredGrants } from './purge.ts';
export { providerMetadata } from './metadata.ts';
