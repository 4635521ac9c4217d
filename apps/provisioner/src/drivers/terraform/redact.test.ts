import { describe, expect, it } from 'vitest';
import { Redactor } from './redact.ts';

describe('a log without secrets', () => {
  it('hides every one, also inside of others, of quotes and of several lines', () => {
    const key = '-----BEGIN KEY-----\nbG9uZyBiYXNlNjQgdGV4dA\nc2Vjb25k\n-----END KEY-----';
    const redactor = new Redactor(['token', 'token-longer', 'with "quotes"', key]);
    expect(redactor.redact('a token, a token-longer, "with \\"quotes\\""')).toBe('a [hidden], a [hidden], "[hidden]"');
    expect(redactor.redact(`x ${key} y`)).toBe('x [hidden] y');
    expect(redactor.redact('line: bG9uZyBiYXNlNjQgdGV4dA')).toBe('line: [hidden]');
    expect(redactor.redact('-----BEGIN KEY-----')).toBe('-----BEGIN KEY-----');
  });

  it('leaves the rest alone, and learns', () => {
    const redactor = new Redactor(['', 'a', 'abc']);
    expect(redactor.redact('a, abc, later')).toBe('a, abc, later');
    redactor.add(['later']);
    expect(redactor.redact('a, abc, later')).toBe('a, abc, [hidden]');
  });
});
