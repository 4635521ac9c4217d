const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg\/(\d+)/, 'Edge'],
  [/\b(?:HeadlessChrome|Chrome)\/(\d+)/, 'Chrome'],
  [/\bFirefox\/(\d+)/, 'Firefox'],
  [/\bVersion\/(\d+)\S* (?:Mobile\S* )?Safari\//, 'Safari'],
  [/\bSafari\/(\d+)/, 'Safari'],
  [/^Mozilla\/5\.0\b()/, 'Browser'],
  [/^curl\/([\d.]+)/, 'curl'],
  [/^berth-cli\/([\d.]+)/i, 'Berth CLI'],
  [/^berth[\w-]*\/?([\d.]*)/i, 'Berth'],
];

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The program behind a user agent, in a word; the beginning of the text when it is none that we know. */
export function programName(userAgent: string): string {
  if (userAgent === '') return '';
  return BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? userAgent.slice(0, 24);
}

/** The same with its version and its system: "Chrome 140 on Linux". The whole text when it is none that we know. */
export function programWords(userAgent: string): string {
  const found = BROWSERS.find(([pattern]) => pattern.test(userAgent));
  if (found === undefined) return userAgent;
  const version = found[0].exec(userAgent)?.[1] ?? '';
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  return [found[1], version, ...(system === undefined ? [] : ['on', system])].filter((part) => part !== '').join(' ');
}
