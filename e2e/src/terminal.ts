import { type Locator, type Page, expect } from '@playwright/test';

/** The web terminal that is open on a page. */
export interface Terminal {
  /** What the screen shows, as text. Only rows in sight are in it. */
  readonly screen: Locator;
  /** Types a command and presses Enter. */
  run(command: string): Promise<void>;
  /** What the screen shows, then what it shows one page further up, and so on until `first` is in sight. */
  scrollBack(first: RegExp): Promise<string[]>;
}

const PAGES_MAX = 500;

/** Waits for the terminal's prompt: before it, keys may be lost. */
export async function openedTerminal(page: Page, workspace: string): Promise<Terminal> {
  // Of those that are open, the one in front.
  const shown = page.getByTestId('terminal');
  const keyboard = shown.getByRole('textbox', { name: `Terminal of ${workspace}` });
  await expect(keyboard).toBeAttached();
  // The rows that xterm draws have no role: they are hidden from assistive technology, which gets them otherwise.
  const screen = shown.locator('.xterm-rows');
  await expect(screen).toContainText('$');
  return {
    screen,
    run: async (command) => {
      await keyboard.pressSequentially(command);
      await keyboard.press('Enter');
    },
    scrollBack: async (first) => {
      const pages: string[] = [];
      while (pages.length < PAGES_MAX) {
        const text = await textOf(screen);
        pages.push(text);
        if (first.test(text)) return pages;
        await keyboard.press('Shift+PageUp');
        await expect.poll(() => textOf(screen)).not.toBe(text);
      }
      throw new Error(`${first} does not come within ${PAGES_MAX} pages:\n${pages.at(-1)}`);
    },
  };
}

/** The first match of a pattern with one group in what the screen shows, once it is there. */
export async function captured(terminal: Terminal, pattern: RegExp): Promise<string> {
  await expect(terminal.screen).toContainText(pattern);
  return pattern.exec(await textOf(terminal.screen))?.[1] ?? '';
}

async function textOf(screen: Locator): Promise<string> {
  return (await screen.innerText()).replaceAll('\u00A0', ' ');
}
