export const TERMINAL_FONT = { fontFamily: "'JetBrains Mono Variable', monospace", fontSize: 13.5, lineHeight: 1.2 } as const;

/** Dark in both schemes: programs choose their colours for a dark screen. */
export const TERMINAL_THEME = {
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
