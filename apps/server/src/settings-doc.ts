import { SETTINGS } from './settings-table.ts';

const BEGIN = '<!-- settings: made by apps/server/src/write-settings-doc.ts -->';
const END = '<!-- end of settings -->';

/** `docs/configuration.md` with its table of settings as they are; the width of its columns is the formatter's. */
export function withSettingsTable(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error('the page of settings has lost its markers');
  return `${before}${BEGIN}\n\n${settingsTable()}\n\n${END}${after}`;
}

function settingsTable(): string {
  const rows = SETTINGS.map(({ env, yaml = '', default: value, otherwise = '', description }) => {
    const names = [env, yaml].flatMap((name) => (name === '' ? [] : [`\`${name}\``]));
    return [names.join(' or '), value === undefined ? otherwise : `\`${value}\``, description];
  });
  const lines = [['Setting', 'Default', 'Rule and meaning'], ['---', '---', '---'], ...rows];
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n');
}
