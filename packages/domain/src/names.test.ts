import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nameProblem, normalizeRealName, REAL_NAME_LENGTH } from './names.ts';
import { randomName, usernameFrom } from './random-names.ts';

const SPACE = 'Must not start or end with a space.';
const LETTERS = 'Must consist of letters and digits, joined by single hyphens.';

describe('a name', () => {
  test.each(['a', 'Ada', 'a-b-c', '0', 'new-one', 'x'.repeat(32), 'New'])('may be %s', (value) => {
    expect(nameProblem('name', value)).toBeNull();
  });

  test.each([
    ['', 'Must not be empty.'],
    ['x'.repeat(33), 'Must have at most 32 characters.'],
    ['-a', LETTERS],
    ['a-', LETTERS],
    ['a--b', LETTERS],
    ['a_b', LETTERS],
    ['a b', LETTERS],
    ['é', LETTERS],
    ['a\n', LETTERS],
    ['new', 'The name "new" is reserved; choose another.'],
    ['create', 'The name "create" is reserved; choose another.'],
  ])('%j is refused: %s', (value, problem) => {
    expect(nameProblem('name', value)).toBe(problem);
  });
});

test('each kind of name keeps its own words and lengths', () => {
  expect(nameProblem('organization_name', 'default')).toContain('reserved');
  expect(nameProblem('name', 'default')).toBeNull();
  expect(nameProblem('group_name', 'everyone')).toContain('reserved');
  expect(nameProblem('group_name', 'x'.repeat(255))).toBeNull();
  expect(nameProblem('group_name', 'x'.repeat(256))).toContain('255');
  expect(nameProblem('template_version_name', 'v1.2_3-rc')).toBeNull();
  expect(nameProblem('template_version_name', 'v1..2')).toContain('dots');
  expect(nameProblem('template_version_name', 'x'.repeat(65))).toContain('64');
  expect(nameProblem('proxy_name', 'Primary')).toContain('reserved');
  expect(nameProblem('proxy_name', '')).toBe('Must not be empty.');
  expect(nameProblem('provisioner_key_name', 'PSK')).toContain('reserved');
  expect(nameProblem('token_name', 'CI, main branch')).toBeNull();
});

test('display names and real names are free text without outer spaces or control characters', () => {
  expect(nameProblem('display_name', '')).toBeNull();
  expect(nameProblem('display_name', 'Ada & co. 🚢')).toBeNull();
  expect(nameProblem('display_name', ' a')).toBe(SPACE);
  expect(nameProblem('display_name', 'a\u00a0')).toBe(SPACE);
  expect(nameProblem('display_name', 'a\nb')).toContain('line breaks');
  expect(nameProblem('display_name', 'a\0b')).toContain('control');
  expect(nameProblem('display_name', 'x'.repeat(65))).toContain('64');
  expect(nameProblem('real_name', '🚢'.repeat(128))).toBeNull();
  expect(nameProblem('real_name', 'x'.repeat(129))).toContain('128');
});

test.each(['ada@example.com', 'a.b+c@sub.example.co', 'ada@localhost', "o'neil@example.com"])('%s is an e-mail address', (value) => {
  expect(nameProblem('email', value)).toBeNull();
});

test.each([
  '',
  'ada',
  '@example.com',
  'ada@',
  'a@b@c.d',
  'a b@example.com',
  '.a@example.com',
  'a..b@example.com',
  'a@-b.com',
  'a@b..c',
  'a@b.c\n',
])('%j is no e-mail address', (value) => {
  expect(nameProblem('email', value)).not.toBeNull();
});

test('checking the longest hostile text is quick', () => {
  for (const kind of ['name', 'template_version_name', 'email', 'display_name'] as const) {
    const started = performance.now();
    nameProblem(kind, `${'a-'.repeat(50_000)}!`);
    nameProblem(kind, `a@${'a.'.repeat(120)}!`);
    expect(performance.now() - started).toBeLessThan(2000);
  }
});

test('a derived username and a random name are always valid names', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (text, seed) => {
      expect(
        nameProblem(
          'name',
          usernameFrom(text, () => seed),
        ),
      ).toBeNull();
      expect(
        nameProblem(
          'name',
          randomName(() => seed),
        ),
      ).toBeNull();
      expect(
        nameProblem(
          'template_version_name',
          randomName(() => seed, '_'),
        ),
      ).toBeNull();
      expect(nameProblem('real_name', normalizeRealName(text.repeat(4)))).toBeNull();
    }),
  );
  expect(usernameFrom('ada', () => 0)).toBe('ada');
  expect(usernameFrom('ada.lovelace@example.com', () => 0)).toBe('adalovelace');
  expect(usernameFrom('日本@example.com', () => 0)).toBe('able-alder');
  expect(normalizeRealName(`  ${'x'.repeat(200)}`)).toHaveLength(REAL_NAME_LENGTH);
});
