import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { autocompletion, startCompletion } from '@codemirror/autocomplete';
import { linter } from '@codemirror/lint';
import type { Extension } from '@codemirror/state';
import type { EditorView } from '@codemirror/view';
import { hoverTooltip } from '@codemirror/view';
import { checkYaml } from '../schema/check-yaml.ts';
import type { Suggestion } from '../schema/complete.ts';
import { complete, explain } from '../schema/complete.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

const CHECK_AFTER_MS = 300;

/** What the editor knows of `berth.yaml`: what can come next, what a key is for, and what is wrong. */
export function berthYaml(schema: JsonSchema): Extension {
  return [
    autocompletion({
      icons: false,
      override: [(context) => suggest(schema, context)],
      activateOnCompletion: ({ type }) => type === 'property',
    }),
    linter((view) => checkYaml(schema, view.state.doc.toString()), { delay: CHECK_AFTER_MS }),
    hoverTooltip((view, position) => {
      const { number, from, to } = view.state.doc.lineAt(position);
      const found = explain(schema, view.state.doc.toString(), number - 1, position - from);
      if (found === undefined) return null;
      const at = view.state.doc.sliceString(from, to).indexOf(found.key);
      return {
        pos: from + Math.max(0, at),
        end: from + Math.max(0, at) + found.key.length,
        create: () => ({ dom: explanation(found) }),
      };
    }),
  ];
}

function suggest(schema: JsonSchema, context: CompletionContext): CompletionResult | null {
  const { number, from } = context.state.doc.lineAt(context.pos);
  const found = complete(schema, context.state.doc.toString(), number - 1, context.pos - from);
  if (found === undefined) return null;
  const typed = context.pos - from - found.from;
  // At a place where nothing is typed yet, only after a key: everywhere else it would get in the way of Enter.
  const isValue = found.options[0]?.kind !== 'key';
  if (!context.explicit && typed === 0 && !isValue) return null;
  // What is written out needs no completion: Enter means a new line there.
  const written = context.state.doc.sliceString(from + found.from, context.pos);
  if (isValue && !context.explicit && found.options.some(({ label }) => label === written)) return null;
  return {
    from: from + found.from,
    options: found.options.map((option, index) => toCompletion(option, found.options.length - index)),
  };
}

function toCompletion(option: Suggestion, rank: number): Completion {
  return {
    label: option.label,
    detail: option.detail,
    ...(option.info === '' ? {} : { info: option.info }),
    type: option.kind === 'key' ? 'property' : option.kind === 'value' ? 'enum' : 'variable',
    boost: (option.isRequired ? 50 : 0) + Math.min(rank, 49) - 49,
    apply: (view: EditorView, _completion: Completion, from: number, to: number) => {
      const cursor = option.insert.indexOf('¦');
      view.dispatch({
        changes: { from, to, insert: option.insert.replace('¦', '') },
        selection: { anchor: from + (cursor === -1 ? option.insert.length : cursor) },
        userEvent: 'input.complete',
        scrollIntoView: true,
      });
      // After a key that takes one of some values, these come next.
      if (option.kind === 'key') queueMicrotask(() => startCompletion(view));
    },
  };
}

function explanation({ key, type, info }: { key: string; type: string; info: string }): HTMLElement {
  const dom = document.createElement('div');
  dom.style.padding = '6px 10px';
  const head = document.createElement('div');
  const name = document.createElement('strong');
  name.textContent = key;
  head.append(name, `: ${type}`);
  dom.append(head);
  if (info !== '') {
    const text = document.createElement('div');
    text.textContent = info;
    dom.append(text);
  }
  return dom;
}
