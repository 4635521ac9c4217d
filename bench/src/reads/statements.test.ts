import { describe, expect, it } from 'vitest';
import { parametersOf, statementsOf } from './statements.ts';

describe('parameters in PostgreSQL’s log', () => {
  it('reads quotes, commas and NULL as they were sent', () => {
    expect(parametersOf("Parameters: $1 = 'it''s, $2 = here', $2 = NULL, $3 = '{a,b}'")).toEqual(["it's, $2 = here", null, '{a,b}']);
    expect(parametersOf('')).toEqual([]);
  });
});

describe('statements of a request', () => {
  const line = (message: string, detail = '', application = 'berth'): string =>
    JSON.stringify({ application_name: application, message, detail });

  it('keeps what ran once for each request, with the parameters of each, and leaves out background work', () => {
    const log = [
      line('duration: 0.1 ms  parse berth_1: SELECT 1'),
      line('duration: 0.1 ms  execute <unnamed>: SELECT 1', "Parameters: $1 = 'a'"),
      line('duration: 0.1 ms  execute <unnamed>: SELECT background'),
      line('duration: 0.2 ms  execute berth_1: SELECT 1', "Parameters: $1 = 'b'"),
      line('duration: 0.2 ms  execute berth_2: SELECT 2', '', 'bench alone'),
    ].join('\n');
    expect(statementsOf(log, 2)).toEqual([{ text: 'SELECT 1', parameters: [['a'], ['b']] }]);
  });
});
