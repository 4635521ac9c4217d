/** Where the reader is, as far as the browser tells. */
export const OWN_ZONE: string = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Every time zone that the browser knows; the reader's own and UTC come first. */
export const ZONES: string[] = [...new Set([OWN_ZONE, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
