import { EditorState, RangeSet, StateEffect, StateField } from '@codemirror/state';
import type { DecorationSet } from '@codemirror/view';
import { Decoration, EditorView, GutterMarker, gutterLineClass } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import classes from './CodeView.module.css';
import { languageSlot, reading } from './code-reading.ts';

interface Props {
  readonly path: string;
  readonly text: string;
  /** The line that a link points at. */
  readonly line?: number | undefined;
  readonly onLine: (line: number) => void;
}

const setLine = StateEffect.define<number>();
const lineMark = Decoration.line({ class: 'cm-linked' });
const gutterMark = new (class extends GutterMarker {
  override elementClass = 'cm-linkedGutter';
})();

interface Linked {
  readonly lines: DecorationSet;
  readonly gutter: RangeSet<GutterMarker>;
}

const NONE: Linked = { lines: Decoration.none, gutter: RangeSet.empty };

const linked = StateField.define<Linked>({
  create: () => NONE,
  update: (value, transaction) => {
    const effect = transaction.effects.findLast((one) => one.is(setLine));
    if (effect === undefined) return value;
    const { doc } = transaction.state;
    if (effect.value < 1 || effect.value > doc.lines) return NONE;
    const at = doc.line(effect.value).from;
    return { lines: Decoration.set(lineMark.range(at)), gutter: RangeSet.of(gutterMark.range(at)) };
  },
  provide: (field) => [EditorView.decorations.from(field, ({ lines }) => lines), gutterLineClass.from(field, ({ gutter }) => gutter)],
});

/** A file to read, with its colours; a click on the number of a line makes it the one that the address names. */
export function CodeView({ path, text, line, onLine }: Props): React.JSX.Element {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const point = useEffectEvent((wanted: EditorView) => {
    const number = line ?? 0;
    const effects: StateEffect<unknown>[] = [setLine.of(number)];
    if (number >= 1 && number <= wanted.state.doc.lines) {
      effects.push(EditorView.scrollIntoView(wanted.state.doc.line(number).from, { y: 'center' }));
    }
    wanted.dispatch({ effects });
  });
  const handleLine = useEffectEvent((number: number) => onLine(number));
  useEffect(() => {
    if (parent.current === null) return undefined;
    const language = languageSlot(path, text);
    const made = new EditorView({
      parent: parent.current,
      state: EditorState.create({ doc: text, extensions: [reading({ label: path, onLine: handleLine }), language.extension, linked] }),
    });
    language.fill(made);
    view.current = made;
    point(made);
    return () => made.destroy();
  }, [path, text]);
  useEffect(() => {
    if (view.current !== null) point(view.current);
  }, [line]);
  return <div ref={parent} className={classes['code']} />;
}
