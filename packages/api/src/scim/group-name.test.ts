import { nameProblem } from '@berth/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { groupNameOf } from './group-name.ts';

describe('the name of a group', () => {
  it.each([
    ['Engineering Team', 'Engineering-Team'],
    ['R&D', 'R-D'],
    ['/staff/érudits', 'staff-erudits'],
    ['Everyone', 'Everyone-group'],
    ['new', 'new-group'],
    ['日本', 'group'],
  ])('of %s is %s', (displayName, name) => {
    expect(groupNameOf(displayName)).toBe(name);
  });

  it('is always one that a group can have', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ maxLength: 300 }), fc.string({ unit: 'grapheme', maxLength: 300 })), (text) => {
        expect(nameProblem('group_name', groupNameOf(text))).toBeNull();
      }),
    );
  });
});
