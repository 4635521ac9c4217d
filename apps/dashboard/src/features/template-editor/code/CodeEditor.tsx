import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import type { Extension } from '@codemirror/state';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { codeLook } from '../../template-files/code-look.ts';
import type { LanguageSlot } from '../../template-files/code-reading.ts';
import { languageSlot } from '../../template-files/code-reading.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { berthYaml } from './berth-yaml.ts';
import classes from './CodeEditor.module.css';

/** A place to go to; another object is another wish, even to the same place. */
export interface GoTo {
  readonly path: string;
  /** From 1; absent: only the file. */
  readonly line?: number | undefined;
}

interface Props {
  readonly path: string;
  /** What the file has. Counts when it is opened, and after `generation` has changed; in between the editor knows better. */
  readonly text: string;
  /** Counts how often files were changed by something other than this editor. */
  readonly generation: number;
  readonly schema: JsonSchema | undefined;
  readonly goTo: GoTo | undefined;
  readonly onChange: (text: string) => void;
  readonly onBuild: () => void;
}

const BERTH_YAML = 'berth.yaml';

/** The open file. Every file keeps its place and its history while the page is open. */
export function CodeEditor({ path, text, generation, schema, goTo, onChange, onBuild }: Props): React.JSX.Element {
  const parent = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const files = useRef(new Map<string, { readonly state: EditorState; readonly language: LanguageSlot }>());
  const shownLanguage = useRef<LanguageSlot>(null);
  const knowledge = useRef(new Compartment());
  const handleChange = useEffectEvent((next: string) => onChange(next));
  const handleBuild = useEffectEvent(() => onBuild());
  const knowledgeOf = (): Extension => (path === BERTH_YAML && schema !== undefined ? berthYaml(schema) : autocompletion({ icons: false }));

  const learn = useEffectEvent((editor: EditorView) => {
    editor.dispatch({ effects: knowledge.current.reconfigure(knowledgeOf()) });
  });
  const show = useEffectEvent((editor: EditorView) => {
    const known = files.current.get(path);
    if (known !== undefined && known.state.doc.toString() === text) {
      shownLanguage.current = known.language;
      editor.setState(known.state);
      known.language.fill(editor);
      learn(editor);
      return;
    }
    const language = languageSlot(path, text);
    shownLanguage.current = language;
    editor.setState(
      EditorState.create({
        doc: text,
        extensions: [
          writing({ path, onChange: handleChange, onBuild: handleBuild }),
          language.extension,
          knowledge.current.of(knowledgeOf()),
        ],
      }),
    );
    language.fill(editor);
  });

  useEffect(() => {
    if (parent.current === null) return undefined;
    const made = new EditorView({ parent: parent.current });
    view.current = made;
    return () => {
      view.current = null;
      made.destroy();
    };
  }, []);
  useEffect(() => {
    const kept = files.current;
    const editor = view.current;
    if (editor === null) return undefined;
    show(editor);
    const language = shownLanguage.current;
    return () => {
      if (language !== null) kept.set(path, { state: editor.state, language });
    };
  }, [path, generation]);
  useEffect(() => {
    if (view.current !== null) learn(view.current);
  }, [schema]);
  useEffect(() => {
    const editor = view.current;
    if (editor === null || goTo === undefined || goTo.path !== path) return;
    editor.focus();
    if (goTo.line === undefined) return;
    const { from } = editor.state.doc.line(Math.max(1, Math.min(goTo.line, editor.state.doc.lines)));
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) });
  }, [goTo, path]);
  return <div ref={parent} className={classes['editor']} />;
}

interface Writing {
  readonly path: string;
  readonly onChange: (text: string) => void;
  readonly onBuild: () => void;
}

function writing({ path, onChange, onBuild }: Writing): Extension {
  return [
    lineNumbers(),
    foldGutter(),
    lintGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    indentUnit.of('  '),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    highlightSelectionMatches(),
    search({ top: true }),
    EditorView.contentAttributes.of({ 'aria-label': path }),
    keymap.of([
      { key: 'Mod-s', run: () => (onBuild(), true), preventDefault: true },
      ...closeBracketsKeymap,
      ...defaultKeymap,
      ...searchKeymap,
      ...historyKeymap,
      ...foldKeymap,
      ...completionKeymap,
      ...lintKeymap,
      // Escape, then Tab, leaves the editor.
      indentWithTab,
    ]),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) onChange(update.state.doc.toString());
    }),
    codeLook,
  ];
}
