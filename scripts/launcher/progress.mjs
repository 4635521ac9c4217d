import { stripVTControlCharacters } from 'node:util';

const isLive = process.stdout.isTTY === true && !process.env.CI;

/**
 * Shows a step of a longer work as one line with its time, rewritten each second on a terminal. `work` gets a function that
 * shows a short note behind the title. Returns what it returns.
 */
export async function step({ number, of, title }, work) {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  let note = '';
  const text = (end) => `${number}/${of} ${title} … ${end}`;
  const draw = () => {
    const width = (process.stdout.columns ?? 80) - 1;
    process.stdout.write(`\r\x1b[K${text(`${seconds()} s${note === '' ? '' : `  ${note}`}`).slice(0, width)}`);
  };
  const timer = isLive ? setInterval(draw, 1000) : undefined;
  if (isLive) draw();
  const finish = (end) => {
    clearInterval(timer);
    process.stdout.write(`${isLive ? '\r\x1b[K' : ''}${text(end)}\n`);
  };
  try {
    const result = await work((line) => {
      note = stripVTControlCharacters(line).replaceAll(/\s+/g, ' ');
    });
    finish(`${seconds()} s`);
    return result;
  } catch (error) {
    finish(`failed after ${seconds()} s`);
    throw error;
  }
}
