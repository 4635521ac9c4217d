import { MergeView, unifiedMergeView } from '@codemirror/merge';
import type { Extension } from '@codemirror/state';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import classes from './CodeView.module.css';
import { languageSlot, reading } from './code-reading.ts';
import { DIFF } from './compare-files.ts';

interface Props {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  readonly isSplit: boolean;
}

const COMMON = { highlightChanges: true, gutter: true, collapseUnchanged: { margin: 3, minSize: 6 }, diffConfig: DIFF } as const;
/** Side by side there is little room for a line. */
const WRAP: Extension = EditorView.lineWrapping;

/** Two texts and what differs between them, down to the words. */
export function DiffView({ path, before, after, isSplit }: Props): React.JSX.Element {
  const parent = useRef<HTMLDivElement>(null);
  const side = before === '' ? 'added' : after === '' ? 'removed' : undefined;
  useEffect(() => {
    const place = parent.current;
    if (place === null) return undefined;
    if (side !== undefined) {
      const text = side === 'added' ? after : before;
      const language = languageSlot(path, text);
      const view = new EditorView({
        parent: place,
        state: EditorState.create({ doc: text, extensions: [reading({ label: `${path}, ${side}` }), language.extension, WRAP] }),
      });
      language.fill(view);
      return () => view.destroy();
    }
    if (isSplit) {
      const [oldLanguage, newLanguage] = [languageSlot(path, before), languageSlot(path, after)];
      const view = new MergeView({
        ...COMMON,
        parent: place,
        a: { doc: before, extensions: [reading({ label: `${path}, before` }), oldLanguage.extension, WRAP] },
        b: { doc: after, extensions: [reading({ label: `${path}, after` }), newLanguage.extension, WRAP] },
      });
      oldLanguage.fill(view.a);
      newLanguage.fill(view.b);
      return () => view.destroy();
    }
    const language = languageSlot(path, after);
    const view = new EditorView({
      parent: place,
      state: EditorState.create({
        doc: after,
        extensions: [
          reading({ label: `${path}, changes` }),
          language.extension,
          WRAP,
          unifiedMergeView({ ...COMMON, original: before, mergeControls: false, syntaxHighlightDeletions: true, allowInlineDiffs: false }),
        ],
      }),
    });
    language.fill(view);
    return () => view.destroy();
  }, [path, before, after, isSplit, side]);
  return <div ref={parent} className={`${classes['code'] ?? ''} ${classes['diff'] ?? ''}`} data-side={side} />;
}
