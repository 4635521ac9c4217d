import type { TerminalModes } from 'ssh2';

/** Modes of RFC 4254 that are on or off, as `stty` names them. */
const FLAGS = [
  'ISTRIP',
  'INLCR',
  'IGNCR',
  'ICRNL',
  'IXON',
  'IXANY',
  'IXOFF',
  'ISIG',
  'ICANON',
  'ECHO',
  'ECHOE',
  'ECHOK',
  'ECHONL',
  'NOFLSH',
  'TOSTOP',
  'IEXTEN',
  'ECHOCTL',
  'ECHOKE',
  'OPOST',
  'ONLCR',
  'OCRNL',
  'ONOCR',
  'ONLRET',
] as const;

const CHARACTERS = {
  VINTR: 'intr',
  VQUIT: 'quit',
  VERASE: 'erase',
  VKILL: 'kill',
  VEOF: 'eof',
  VEOL: 'eol',
  VEOL2: 'eol2',
  VSTART: 'start',
  VSTOP: 'stop',
  VSUSP: 'susp',
  VREPRINT: 'rprnt',
  VWERASE: 'werase',
  VLNEXT: 'lnext',
} as const;

const NO_CHARACTER = 255;

/** The arguments that give a terminal the modes of the client's own; what is not asked for stays as the system has it. */
export function sttyArguments(modes: TerminalModes): string[] {
  const asked: Readonly<Record<string, number | undefined>> = { ...modes };
  const flags = FLAGS.flatMap((name) => {
    const value = asked[name];
    return value === undefined ? [] : [`${value === 0 ? '-' : ''}${name.toLowerCase()}`];
  });
  const characters = Object.entries(CHARACTERS).flatMap(([name, argument]) => {
    const value = asked[name];
    const text = value === undefined ? undefined : characterText(value);
    return text === undefined ? [] : [argument, text];
  });
  return [...flags, ...characters];
}

function characterText(code: number): string | undefined {
  if (code === NO_CHARACTER || code === 0) return 'undef';
  if (code < 32) return `^${String.fromCharCode(code + 64)}`;
  if (code === 127) return '^?';
  return code < 127 ? String.fromCharCode(code) : undefined;
}
