export { isScimEnabled, scimPrincipal } from './authenticate.ts';
export { SCIM_ERROR } from './contract.ts';
export { scimTypeOf } from './refusals.ts';
