import type { StreamParser, StringStream } from '@codemirror/language';

interface State {
  /** What ends the text that the line is in: a heredoc's word, or nothing. */
  heredoc: string;
  isComment: boolean;
}

const BLOCKS =
  /^(?:resource|data|variable|output|locals|module|provider|terraform|moved|import|check|removed|dynamic|lifecycle|provisioner)\b/;
const WORDS = /^(?:for|in|if|else|endif|endfor)\b/;
const ATOMS = /^(?:true|false|null)\b/;

/** The colours of Terraform's language (HCL): blocks, attributes, strings with their templates, heredocs, comments. */
export const terraform: StreamParser<State> = {
  name: 'terraform',
  startState: () => ({ heredoc: '', isComment: false }),
  copyState: (state) => ({ ...state }),
  token: (input, state) => {
    if (state.isComment) return blockComment(input, state);
    if (state.heredoc !== '') return heredoc(input, state);
    if (input.eatSpace()) return null;
    if (input.match(/^(?:#|\/\/)/)) {
      input.skipToEnd();
      return 'comment';
    }
    if (input.match('/*')) {
      state.isComment = true;
      return blockComment(input, state);
    }
    const opened = input.match(/^<<-?([A-Za-z_][\w-]*)/);
    if (opened !== null && typeof opened !== 'boolean') {
      state.heredoc = opened[1] ?? '';
      return 'string';
    }
    if (input.match(/^"(?:[^"\\]|\\.)*"?/)) return 'string';
    if (input.match(/^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/)) return 'number';
    if (input.match(ATOMS)) return 'atom';
    if (input.sol() || /^\s*$/.test(input.string.slice(0, input.start))) {
      if (input.match(BLOCKS)) return 'keyword';
    }
    if (input.match(WORDS)) return 'keyword';
    if (input.match(/^[A-Za-z_][\w-]*(?=\s*=(?!=))/)) return 'propertyName';
    if (input.match(/^[A-Za-z_][\w-]*(?=\()/)) return 'variableName.function';
    if (input.match(/^[A-Za-z_][\w-]*/)) return 'variableName';
    input.next();
    return null;
  },
  languageData: { commentTokens: { line: '#', block: { open: '/*', close: '*/' } }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
};

function blockComment(input: StringStream, state: State): string {
  if (input.skipTo('*/')) {
    input.match('*/');
    state.isComment = false;
  } else {
    input.skipToEnd();
  }
  return 'comment';
}

function heredoc(input: StringStream, state: State): string {
  if (input.string.trim() === state.heredoc) state.heredoc = '';
  input.skipToEnd();
  return 'string';
}
