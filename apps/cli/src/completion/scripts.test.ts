import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { run } from '../testing/run.ts';

describe('berth completion', () => {
  it('prints a script for each shell, and refuses others', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { code, stdout } = await run(['completion', shell]);
      expect(code).toBe(0);
      expect(stdout).toContain('berth __complete --');
    }
    expect((await run(['completion', 'tcsh'])).code).toBe(2);
  });

  it('offers in bash what the hidden command answers, one by one', async () => {
    const { stdout } = await run(['completion', 'bash']);
    const script = `
      berth() { printf 'create\\tCreate it\\n%s\\tasked\\n' "\${*: -1}"; }
      ${stdout}
      COMP_WORDS=(berth create "de v"); COMP_CWORD=2
      _berth
      printf '%s|' "\${COMPREPLY[@]}"
    `;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('create|de v|');
  });
});
