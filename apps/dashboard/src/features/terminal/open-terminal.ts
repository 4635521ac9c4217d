import '@xterm/xterm/css/xterm.css';
import { FitAddon } from '@xterm/addon-fit';
import { SearchAddon } from '@xterm/addon-search';
import { WebLinksAddon } from '@xterm/addon-web-links';
import { Terminal } from '@xterm/xterm';
import type { TerminalState } from './terminal-connection.ts';
import { TerminalConnection } from './terminal-connection.ts';
import type { TerminalCommand } from './terminal-keys.ts';
import { terminalCommand } from './terminal-keys.ts';
import type { TerminalScheme } from './terminal-look.ts';
import { SEARCH_MARKS, TERMINAL_FONT, TERMINAL_THEMES } from './terminal-look.ts';
import { openWebAddress } from './web-address.ts';

export interface TerminalPlace {
  readonly agentId: string;
  /** Which shell of the agent. */
  readonly shell: string;
  /** Run when the shell is made; empty for a login shell. */
  readonly command: string;
  /** Only looks on at a shell that is there: keys go nowhere, and its size stays. */
  readonly isReadOnly: boolean;
}

export interface OpenTerminalOptions extends TerminalPlace {
  readonly box: HTMLElement;
  /** For people who do not see it. */
  readonly label: string;
  readonly onState: (state: TerminalState, reason: string) => void;
  /** The program in it calls itself so. It is data: it may be anything. */
  readonly onTitle: (title: string) => void;
  /** A key of the page's own; copying is done already. */
  readonly onCommand: (command: TerminalCommand) => void;
}

export interface SearchResult {
  /** From 1; 0 when there are more than are counted. */
  readonly at: number;
  readonly count: number;
}

/** A terminal that is shown. */
export interface OpenedTerminal {
  readonly retry: () => void;
  readonly focus: () => void;
  readonly setLook: (look: { readonly scheme: TerminalScheme; readonly fontSize: number }) => void;
  /** Goes to the next place, or the one before, with this text in the scroll-back; an empty text ends the search. */
  readonly find: (text: string, direction: 'next' | 'previous') => void;
  readonly onFound: (listener: (result: SearchResult) => void) => () => void;
  readonly close: () => void;
}

function addressOf({ agentId, shell, command, isReadOnly }: TerminalPlace, { width, height }: { width: number; height: number }): string {
  const query = new URLSearchParams({ reconnect: shell, width: String(width), height: String(height) });
  if (command !== '') query.set('command', command);
  if (isReadOnly) query.set('view', 'true');
  return `${location.origin.replace(/^http/, 'ws')}/api/v2/workspaceagents/${agentId}/pty?${query}`;
}

/** Puts a terminal into `box` and connects it. */
export function openTerminal(options: OpenTerminalOptions): OpenedTerminal {
  const { box, label, isReadOnly } = options;
  const terminal = new Terminal({
    ...TERMINAL_FONT,
    cursorBlink: !isReadOnly,
    disableStdin: isReadOnly,
    // Without it `takeSizes` is never asked: by default no output may change the size.
    windowOptions: { setWinSizeChars: isReadOnly },
    scrollback: 10_000,
    // Marks of what was found stand beside the scroll bar.
    allowProposedApi: true,
    macOptionIsMeta: true,
    minimumContrastRatio: 4.5,
    linkHandler: { activate: (_event, address) => openWebAddress(address) },
  });
  const fit = new FitAddon();
  const search = new SearchAddon();
  terminal.loadAddon(fit);
  terminal.loadAddon(search);
  terminal.loadAddon(new WebLinksAddon((_event, address) => openWebAddress(address)));
  terminal.open(box);
  terminal.textarea?.setAttribute('aria-label', label);
  let marks: (typeof SEARCH_MARKS)[TerminalScheme] = SEARCH_MARKS.dark;
  const fitBox = (): void => {
    // Who looks on sees the size of who works there. A hidden terminal has no size of its own; it gets one when it is shown.
    if (!isReadOnly && box.clientWidth > 0 && box.clientHeight > 0) fit.fit();
  };
  fitBox();
  terminal.attachCustomKeyEventHandler((event) => {
    const command = terminalCommand(event);
    if (command === undefined) return true;
    event.preventDefault();
    event.stopPropagation();
    if (command.kind === 'copy') copySelection(terminal);
    else options.onCommand(command);
    return false;
  });

  const connection = new TerminalConnection({
    size: { width: terminal.cols, height: terminal.rows },
    url: (size) => addressOf(options, size),
    onState: options.onState,
    onAttach: () => terminal.reset(),
    onOutput: (bytes) => terminal.write(bytes),
  });
  if (isReadOnly) {
    takeSizes(terminal);
  } else {
    terminal.onData((data) => connection.write(data));
    terminal.onResize(({ cols, rows }) => connection.resize({ width: cols, height: rows }));
  }
  terminal.onTitleChange(options.onTitle);
  const observer = new ResizeObserver(fitBox);
  observer.observe(box);
  const fontFamily = `${TERMINAL_FONT.fontFamily}, monospace`;
  let isClosed = false;
  // Cells are measured with the font that is there; measure again when ours has come.
  void document.fonts.load(`14px ${TERMINAL_FONT.fontFamily}`).then(() => {
    if (isClosed) return;
    terminal.options.fontFamily = fontFamily;
    fitBox();
  });
  return {
    retry: () => connection.retry(),
    focus: () => terminal.focus(),
    setLook: ({ scheme, fontSize }) => {
      marks = SEARCH_MARKS[scheme];
      terminal.options.theme = TERMINAL_THEMES[scheme];
      terminal.options.fontSize = fontSize;
      fitBox();
    },
    find: (text, direction) => {
      if (text === '') return search.clearDecorations();
      const how = { decorations: marks, incremental: false };
      if (direction === 'next') search.findNext(text, how);
      else search.findPrevious(text, how);
    },
    onFound: (listener) => {
      const { dispose } = search.onDidChangeResults(({ resultIndex, resultCount }) =>
        listener({ at: resultIndex + 1, count: resultCount }),
      );
      return dispose;
    },
    close: () => {
      isClosed = true;
      observer.disconnect();
      connection.close();
      terminal.dispose();
    },
  };
}

function copySelection(terminal: Terminal): void {
  if (terminal.hasSelection()) void navigator.clipboard?.writeText(terminal.getSelection());
}

const SIZE_MAX = 1000;

/** Whoever looks on is told the size of the terminal by the sequence that tells terminals their size. */
function takeSizes(terminal: Terminal): void {
  terminal.parser.registerCsiHandler({ final: 't' }, ([what, rows, columns]) => {
    if (what !== 8 || typeof rows !== 'number' || typeof columns !== 'number') return false;
    const isSize = rows > 0 && columns > 0 && rows <= SIZE_MAX && columns <= SIZE_MAX;
    if (isSize) terminal.resize(columns, rows);
    return true;
  });
}
