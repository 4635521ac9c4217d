import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** One look for both schemes: `light-dark()` follows the scheme of the page, so nothing has to be told when it changes. */
const of = (light: string, dark: string): string => `light-dark(${light}, ${dark})`;

const KEYWORD = of('#8a2b8f', '#d7a3e6');
const NAME = of('#0b5f78', '#7cc7dc');
const TEXT = of('#2c6a1f', '#a5d29a');
const VALUE = of('#9a3f06', '#f0b083');
const COMMENT = of('#525c67', '#a9b3be');
const CALL = of('#2450a4', '#9dbdf5');

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword], color: KEYWORD },
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName, tags.tagName], color: NAME },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: TEXT },
  { tag: [tags.number, tags.bool, tags.null, tags.atom, tags.escape, tags.unit], color: VALUE },
  { tag: [tags.comment, tags.meta, tags.documentMeta], color: COMMENT },
  { tag: [tags.function(tags.variableName), tags.standard(tags.variableName), tags.typeName, tags.className], color: CALL },
  { tag: tags.heading, color: NAME, fontWeight: '650' },
  { tag: tags.link, color: NAME, textDecoration: 'underline' },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--mantine-color-error)' },
]);

const look = EditorView.theme({
  '&': { color: 'var(--mantine-color-text)', background: 'var(--berth-surface)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--mantine-color-text)' },
  '.cm-gutters': { color: 'var(--mantine-color-dimmed)', background: 'var(--berth-surface)', borderRight: '1px solid var(--berth-line)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 10px 0 12px', fontVariantNumeric: 'tabular-nums' },
  '.cm-activeLine, .cm-activeLineGutter': { background: of('rgb(7 85 103 / 5%)', 'rgb(121 192 208 / 8%)') },
  '.cm-linked, .cm-linkedGutter': { background: of('#fff3c4', '#4a3f16') },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection': {
    background: of('#c3e2ea', '#234b56'),
  },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: of('#d5ebf1', '#2b4a52'), outline: 'none' },
  '.cm-searchMatch': { background: of('#ffe89a', '#5d4d10') },
  '.cm-searchMatch-selected': { background: of('#ffc94d', '#8a6d0c') },
  '.cm-selectionMatch': { background: of('#e2eef2', '#22343a') },
  '.cm-panels': { color: 'var(--mantine-color-text)', background: 'var(--mantine-color-body)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--berth-line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--berth-line)' },
  '.cm-panel.cm-search': { padding: '8px 32px 8px 10px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-panel.cm-search label': { fontSize: '12.5px', display: 'inline-flex', alignItems: 'center', gap: '3px' },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: '18px', padding: '0 8px' },
  '.cm-textfield': {
    color: 'inherit',
    background: 'var(--berth-surface)',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 8px',
    fontSize: '13px',
  },
  '.cm-button': {
    color: 'inherit',
    background: 'var(--berth-surface)',
    backgroundImage: 'none',
    border: '1px solid var(--mantine-color-default-border)',
    borderRadius: '6px',
    padding: '4px 10px',
    fontSize: '13px',
  },
  '.cm-tooltip': {
    color: 'var(--mantine-color-text)',
    background: 'var(--berth-surface)',
    border: '1px solid var(--berth-line)',
    borderRadius: '8px',
    boxShadow: 'var(--mantine-shadow-md)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '16em' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    color: 'var(--mantine-color-text)',
    background: of('#d5ebf1', '#234b56'),
  },
  '.cm-completionDetail': { color: 'var(--mantine-color-dimmed)', fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionInfo': { padding: '8px 10px', maxWidth: '320px', fontFamily: 'var(--mantine-font-family)', fontSize: '13px' },
  '.cm-tooltip-lint, .cm-tooltip.cm-tooltip-hover': { fontFamily: 'var(--mantine-font-family)', fontSize: '13px', maxWidth: '420px' },
  '.cm-collapsedLines': {
    color: 'var(--mantine-color-dimmed)',
    background: 'var(--berth-hover)',
    backgroundImage: 'none',
    fontFamily: 'var(--mantine-font-family)',
    padding: '5px 12px',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"⋯"', color: 'inherit' },
});

/** Colours, type and panels of everything that shows code. */
export const codeLook: Extension = [look, syntaxHighlighting(colours)];
