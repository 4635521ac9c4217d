import type { ITheme } from '@xterm/xterm';

export const TERMINAL_FONT = { fontFamily: "'JetBrains Mono Variable', monospace", lineHeight: 1.2 } as const;

const FONT_SIZES = [11, 12, 13.5, 15, 17, 20] as const;
const FONT_SIZE_DEFAULT = 13.5;

/** The next size in a direction; the same one at the end. */
export function nextFontSize(size: number, direction: 1 | -1): number {
  const sizes = direction === 1 ? FONT_SIZES : [...FONT_SIZES].toReversed();
  return sizes.find((candidate) => (candidate - size) * direction > 0) ?? size;
}

/** What was kept, if it is a size that there is. */
export function fontSizeOf(kept: string | null): number {
  return FONT_SIZES.find((size) => String(size) === kept) ?? FONT_SIZE_DEFAULT;
}

const DARK: ITheme = {
  background: '#0e1217',
  foreground: '#d8dee6',
  cursor: '#54aec2',
  cursorAccent: '#0e1217',
  selectionBackground: '#2b4a58',
  black: '#2a313a',
  red: '#f2777a',
  green: '#7fc98f',
  yellow: '#e6c07b',
  blue: '#6cb2eb',
  magenta: '#c792ea',
  cyan: '#5fc6d6',
  white: '#d8dee6',
  brightBlack: '#6b7785',
  brightRed: '#ff9a9c',
  brightGreen: '#a3e0b0',
  brightYellow: '#f5d99c',
  brightBlue: '#95cbf5',
  brightMagenta: '#ddb6f5',
  brightCyan: '#8fdfeb',
  brightWhite: '#ffffff',
};

/** Programs choose their colours for a dark screen, so the light ones are as dark as text has to be on white. */
const LIGHT: ITheme = {
  background: '#ffffff',
  foreground: '#1a2128',
  cursor: '#187c92',
  cursorAccent: '#ffffff',
  selectionBackground: '#bfe0e8',
  black: '#1a2128',
  red: '#b3261e',
  green: '#1d6f2f',
  yellow: '#7a5000',
  blue: '#1a5fa8',
  magenta: '#8430a8',
  cyan: '#0b6a78',
  white: '#54606b',
  brightBlack: '#5c6873',
  brightRed: '#c4362d',
  brightGreen: '#27803a',
  brightYellow: '#8f5f00',
  brightBlue: '#2b74c2',
  brightMagenta: '#9a42bf',
  brightCyan: '#107c8c',
  brightWhite: '#3e4854',
};

export type TerminalScheme = 'light' | 'dark';

/** The colours of a terminal, which follow those of the dashboard. */
export const TERMINAL_THEMES: Readonly<Record<TerminalScheme, ITheme>> = { light: LIGHT, dark: DARK };

/** Found text is marked in these. */
export const SEARCH_MARKS = {
  light: {
    matchBackground: '#ffe8a3',
    matchOverviewRuler: '#d9a400',
    activeMatchBackground: '#ffb648',
    activeMatchColorOverviewRuler: '#a33a04',
  },
  dark: {
    matchBackground: '#5a4a12',
    matchOverviewRuler: '#e6c07b',
    activeMatchBackground: '#8a5a00',
    activeMatchColorOverviewRuler: '#f5d99c',
  },
} as const;
