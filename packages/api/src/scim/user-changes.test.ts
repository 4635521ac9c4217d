import { describe, expect, it } from 'vitest';
import { changesOfObject, changesOfPatch } from './attributes.ts';
import { changedName, newEmail, splitName, userChange } from './user-changes.ts';

const patched = (...operations: object[]) => userChange(changesOfPatch({ Operations: operations }), { email: 'ada@example.com' });

describe('a name', () => {
  it('splits at its last word, and joins to the same again', () => {
    expect(splitName('Ada King Lovelace')).toEqual({ givenName: 'Ada King', familyName: 'Lovelace' });
    expect(splitName('Ada')).toEqual({ givenName: 'Ada', familyName: '' });
    expect(changedName(splitName('Ada King Lovelace'), '')).toBe('Ada King Lovelace');
  });

  it('is made of its parts, else of the whole, else of what is displayed; a part keeps the other', () => {
    expect(changedName({ givenName: 'Ada', familyName: 'King', formatted: 'x', displayName: 'y' }, '')).toBe('Ada King');
    expect(changedName({ formatted: 'Countess', displayName: 'y' }, 'Ada')).toBe('Countess');
    expect(changedName({ displayName: 'y' }, 'Ada')).toBe('y');
    expect(changedName({ familyName: 'King' }, 'Ada Lovelace')).toBe('Ada King');
    expect(changedName({ givenName: '', familyName: '', displayName: 'Ada' }, '')).toBe('Ada');
    expect(changedName({}, 'Ada Lovelace')).toBe('Ada Lovelace');
    expect(changedName({ displayName: '' }, 'Ada Lovelace')).toBe('');
  });
});

describe('an address', () => {
  it('is the primary one, else that of work, else the first; a user name that is one will do', () => {
    const emails = (list: unknown) => userChange(changesOfObject({ emails: list }, 'replace')).email;
    const [home, work] = [
      { value: 'h@example.com', type: 'home' },
      { value: 'w@example.com', type: 'work' },
    ];
    expect(emails([home, work])).toBe('w@example.com');
    expect(emails([{ ...home, primary: 'True' }, work])).toBe('h@example.com');
    expect(emails([home])).toBe('h@example.com');
    expect(emails('w@example.com')).toBe('w@example.com');
    expect(emails([])).toBeUndefined();
    expect(newEmail({ userName: 'ada@example.com' })).toBe('ada@example.com');
    expect(() => newEmail({ userName: 'ada' })).toThrow('primary address');
  });

  it('changes by a path to the one of work, the primary one or its value, and by no other', () => {
    for (const path of [
      'emails[type eq "work"].value',
      'emails[primary eq true].value',
      'emails.value',
      'emails[value eq "ADA@example.com"]',
    ]) {
      expect(patched({ op: 'replace', path, value: 'new@example.com' })).toEqual({ email: 'new@example.com' });
    }
    expect(patched({ op: 'add', path: 'emails[type eq "other"].value', value: 'new@example.com' })).toEqual({});
  });
});

describe('a patch', () => {
  it('is read whatever the case of its words, later operations winning', () => {
    expect(
      userChange(
        changesOfPatch({
          operations: [
            { OP: 'REPLACE', PATH: 'Active', VALUE: 'FALSE' },
            { op: 'Add', value: { 'Name.GivenName': 'Ada', name: { familyName: 'King' } } },
            { op: 'replace', path: 'active', value: true },
            { op: 'remove', path: 'externalId' },
          ],
        }),
      ),
    ).toEqual({ active: true, givenName: 'Ada', familyName: 'King', externalId: null });
  });
});
