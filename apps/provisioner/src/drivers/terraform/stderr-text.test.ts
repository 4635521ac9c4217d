import { describe, expect, it } from 'vitest';
import { errorsOfStderr, onOneLine } from './stderr-text.ts';

const CONFIGURATION = `There are some problems with the CLI configuration:
╷
│ Warning: Unable to open CLI configuration file
│
│ The CLI configuration file at "/root/.terraformrc" does not exist.
╵

`;

describe('the errors on stderr of a Terraform that failed', () => {
  it('are those under an error headline, one line each; warnings before them do not count', () => {
    const text = `${CONFIGURATION}
Error: Failed to query available provider packages

Could not retrieve the list of available versions for provider
hashicorp/nowhere: no such host

Error: Unsupported block type

  on main.tf line 1:
   1: bad {
`;
    expect(errorsOfStderr(text)).toEqual([
      'Failed to query available provider packages: Could not retrieve the list of available versions for provider hashicorp/nowhere: no such host',
      'Unsupported block type: on main.tf line 1: 1: bad {',
    ]);
  });

  it('lose their frames and colors', () => {
    const text = '\u001b[31m╷\u001b[0m\n\u001b[31m│\u001b[0m \u001b[1mError: Invalid key\u001b[0m\n│ \n│ It has a | in it.\n╵\n';
    expect(errorsOfStderr(text)).toEqual(['Invalid key: It has a | in it.']);
    expect(onOneLine(text)).toBe('Error: Invalid key It has a | in it.');
  });

  it('are the text itself where it has no headline, and nothing when only warnings were written', () => {
    expect(errorsOfStderr('panic: runtime error\ngoroutine 1\n')).toEqual(['panic: runtime error goroutine 1']);
    expect(errorsOfStderr(CONFIGURATION)).toEqual([]);
    expect(errorsOfStderr('')).toEqual([]);
  });
});
