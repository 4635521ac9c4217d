import { expect, test } from 'vitest';
import {
  draftOf,
  initialDraft,
  listItems,
  originOf,
  parametersFromWire,
  readableValue,
  unusedOf,
  usableEarlier,
  viewForm,
} from './parameter-form.ts';
import { wireParameter as parameter } from './testing/wire-parameter.ts';

const option = (value: string) => ({ name: value, value, description: '', icon: '' });

const definitions = parametersFromWire([
  parameter({ name: 'size', type: 'number', default_value: '2', validation_min: 1, validation_max: 8 }),
  parameter({ name: 'editor', default_value: 'none', options: [option('none'), option('vim')] }),
  parameter({ name: 'vimrc', required: true, condition: { parameter: 'editor', equals: ['vim'] } }),
  parameter({ name: 'backups', type: 'bool' }),
]);

test('a form begins with the defaults, and can be sent as it is', () => {
  const draft = initialDraft(definitions);
  expect(draft).toEqual({ size: '2', editor: 'none', backups: 'false' });
  expect(viewForm(definitions, draft).values).toEqual([
    { name: 'size', value: '2' },
    { name: 'editor', value: 'none' },
    { name: 'backups', value: 'false' },
  ]);
});

test('parameters are asked in the order of the template', () => {
  expect(viewForm(definitions, initialDraft(definitions)).fields.map(({ parameter: { name } }) => name)).toEqual([
    'size',
    'editor',
    'backups',
  ]);
});

test('a broken rule stands at its field, and nothing can be sent', () => {
  const view = viewForm(definitions, { ...initialDraft(definitions), size: '9' });
  expect(view.values).toBeNull();
  expect(view.fields.find(({ parameter: { name } }) => name === 'size')?.problem).toContain('between 1 and 8');
  expect(view.fields.filter(({ problem }) => problem !== '')).toHaveLength(1);
});

test('a condition that is met asks for its parameter, and the answer is sent only while it is met', () => {
  const withVim = { ...initialDraft(definitions), editor: 'vim' };
  expect(viewForm(definitions, withVim).fields.map(({ parameter: { name } }) => name)).toContain('vimrc');
  expect(viewForm(definitions, withVim).values).toBeNull();

  const answered = { ...withVim, vimrc: 'set nu' };
  expect(viewForm(definitions, answered).values).toContainEqual({ name: 'vimrc', value: 'set nu' });
  expect(viewForm(definitions, { ...answered, editor: 'none' }).values).not.toContainEqual({ name: 'vimrc', value: 'set nu' });
});

test('a list shows its items, and half a list none', () => {
  expect(listItems('["a","b"]')).toEqual(['a', 'b']);
  expect([listItems(''), listItems('["a"'), listItems('{"a":1}')]).toEqual([[], [], []]);
});

test('one’s own word counts before that of a link, that before the last workspace, that before the template, and the form knows whose each is', () => {
  const sources = {
    defaults: initialDraft(definitions),
    earlier: { size: '4', editor: 'vim', vimrc: 'set nu' },
    link: { size: '8', backups: 'false' },
    own: { editor: 'none' },
  };
  expect(draftOf(sources)).toEqual({ size: '8', editor: 'none', vimrc: 'set nu', backups: 'false' });
  expect(['size', 'editor', 'vimrc', 'backups'].map((name) => originOf(sources, name))).toEqual(['link', 'default', 'earlier', 'link']);
  expect(originOf({ ...sources, own: { editor: 'vim' } }, 'editor')).toBe('own');
  expect(originOf({ ...sources, earlier: { size: '2' }, link: {} }, 'size')).toBe('default');
});

test('of an earlier workspace, only what the template still asks for and takes is filled in', () => {
  const earlier = [
    { name: 'size', value: '99' },
    { name: 'editor', value: 'vim' },
    { name: 'gone', value: 'x' },
    { name: 'vimrc', value: '' },
  ];
  expect(usableEarlier(definitions, earlier)).toEqual({ editor: 'vim' });
});

test('what a link gives and the form does not ask for is named with why', () => {
  const link = { editor: 'none', vimrc: 'set nu', colour: 'red' };
  const { fields } = viewForm(definitions, { ...initialDraft(definitions), ...link });
  expect(unusedOf(definitions, fields, link)).toEqual([
    { name: 'vimrc', value: 'set nu', reason: 'it is not asked for with these answers.' },
    { name: 'colour', value: 'red', reason: 'the template does not ask for it.' },
  ]);
});

test('an answer reads as its options are called', () => {
  const [size, editor, , backups] = definitions;
  if (size === undefined || editor === undefined || backups === undefined) throw new Error('definitions are missing');
  const tools = { ...editor, type: 'list(string)' as const, options: [{ ...option('git'), name: 'Git' }, option('rust')] };
  expect([readableValue(size, '2'), readableValue(backups, 'true'), readableValue(tools, '["git","rust"]')]).toEqual([
    '2',
    'Yes',
    'Git, rust',
  ]);
});
