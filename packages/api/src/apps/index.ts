export type { AppRequest, AppRequestTarget } from './app-request.ts';
export { APP_KEY_PARAMETER, keyOfAppSession, redeemAppKey } from './app-session.ts';
export { APP_TOKEN_SECONDS } from './app-token.ts';
export type { AppTarget, OpenedApp } from './open-app.ts';
export { openApp } from './open-app.ts';
export type { AppRefusalReason } from './refusal.ts';
export { AppRefusal } from './refusal.ts';
export { whileAppOpen } from './while-open.ts';
