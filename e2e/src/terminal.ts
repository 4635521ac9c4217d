import { type Locator, type Page, expect } from '@playwright/test';

/** The web terminal that is open on a page. */
export interface Terminal {
  /** What the screen shows, as text. Only rows in sight are in it. */
  readonly screen: Locator;
  /** Types a command and presses Enter. */
  run(command: string): Promise<void>;
}

/** Waits for the terminal's prompt: before it, keys may be lost. */
export async function openedTerminal(page: Page, workspace: string): Promise<Terminal> {
  const keyboard = page.getByRole('textbox', { name: `Terminal of ${workspace}` });
  await expect(keyboard).toBeAttached();
  // The rows that xterm draws have no role: they are hidden from assistive technology, which gets them otherwise.
  const screen = page.locator('.xterm-rows');
  await expect(screen).toContainText('$');
  return {
    screen,
    run: async (command) => {
      await keyboard.pressSequentially(command);
      await keyboard.press('Enter');
    },
  };
}

/** The first match of a pattern with one group in what the screen shows, once it is there. */
export async function captured(terminal: Terminal, pattern: RegExp): Promise<string> {
  await expect(terminal.screen).toContainText(pattern);
  return pattern.exec((await terminal.screen.innerText()).replaceAll('\u00A0', ' '))?.[1] ?? '';
}
