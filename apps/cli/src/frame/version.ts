/** Put in by the build; from the sources it is the version of the checkout. */
declare const BERTH_VERSION: string | undefined;

export const VERSION = typeof BERTH_VERSION === 'string' ? BERTH_VERSION : '0.1.0';
