import type { Extension } from '@codemirror/state';
import { Compartment, EditorState } from '@codemirror/state';
import { search, searchKeymap } from '@codemirror/search';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { languageOf, loadLanguage } from './code-language.ts';
import { codeLook } from './code-look.ts';

interface Options {
  /** What the text is, for people who do not see it. */
  readonly label: string;
  /** When somebody clicks on the number of a line. */
  readonly onLine?: ((line: number) => void) | undefined;
}

/** What a text that is only read has: numbers, colours, search, and the keyboard. */
export function reading({ label, onLine }: Options): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ tabindex: '0', 'aria-label': label, 'aria-readonly': 'true' }),
    lineNumbers(
      onLine === undefined
        ? {}
        : {
            domEventHandlers: {
              mousedown: (view, line) => {
                onLine(view.state.doc.lineAt(line.from).number);
                return true;
              },
            },
          },
    ),
    search({ top: true }),
    keymap.of(searchKeymap),
    codeLook,
  ];
}

export interface LanguageSlot {
  readonly extension: Extension;
  /** Loads the language into the view that has the extension. */
  readonly fill: (view: EditorView) => void;
}

/** The place of a language in a view that is there before its language is. */
export function languageSlot(path: string, text: string): LanguageSlot {
  const slot = new Compartment();
  const end = text.indexOf('\n');
  const language = languageOf(path, text.slice(0, end === -1 ? undefined : Math.min(end, 200)));
  return {
    extension: slot.of([]),
    fill: (view) => {
      // Without its colours the text is as good; the next file tries again.
      loadLanguage(language).then(
        (extension) => {
          // By now the view may show another file.
          if (slot.get(view.state) !== undefined) view.dispatch({ effects: slot.reconfigure(extension) });
        },
        () => undefined,
      );
    },
  };
}
