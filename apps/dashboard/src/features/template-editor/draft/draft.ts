import { contentOf } from '../../template-files/file-content.ts';
import type { TemplateFile } from '../../template-files/tar.ts';

/** A file as it is edited: text where it is text, else its bytes as they came. */
export interface DraftFile extends TemplateFile {
  /** What the editor has; undefined for what it cannot edit. Counts instead of the bytes. */
  readonly text?: string;
}

export interface Draft {
  readonly files: readonly DraftFile[];
  /** Folders that somebody made and that have no file yet. No archive has them. */
  readonly folders: readonly string[];
}

/** The draft after a change, or why the change is refused. */
export type Outcome = { readonly ok: true; readonly draft: Draft } | { readonly ok: false; readonly problem: string };

const PATH_MAX = 255;

/** The files of a version, to be edited. */
export function draftOf(files: readonly TemplateFile[]): Draft {
  return {
    files: files.map((file) => {
      const content = contentOf(file);
      return content.kind === 'text' ? { ...file, text: content.text } : file;
    }),
    folders: [],
  };
}

/** The files to pack: what was typed, as UTF-8. */
export function filesOf({ files }: Draft): TemplateFile[] {
  return files.map(({ text, ...file }) => (text === undefined ? file : { ...file, bytes: new Uint8Array(new TextEncoder().encode(text)) }));
}

/** Why nothing can be put at `path`; empty when something can. */
export function pathProblem({ files, folders }: Draft, path: string): string {
  const parts = path.split('/');
  if (path.trim() === '') return 'Give it a name.';
  if (path.length > PATH_MAX) return `A path has at most ${PATH_MAX} characters.`;
  // oxlint-disable-next-line no-control-regex -- that is what names must not have
  if (/[\u0000-\u001f\\]/.test(path)) return 'A name has no backslash and no line break.';
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return 'A path starts in the folder of the template, without a slash.';
  if (parts.some((part) => part === '' || part === '.' || part === '..' || part !== part.trim())) {
    return 'Each part of a path needs a name of its own.';
  }
  if (files.some((file) => file.path === path) || folders.includes(path) || files.some((file) => file.path.startsWith(`${path}/`))) {
    return `${path} is there already.`;
  }
  const blocking = files.find((file) => path.startsWith(`${file.path}/`));
  return blocking === undefined ? '' : `${blocking.path} is a file, so nothing can be in it.`;
}

export function addFile(draft: Draft, file: DraftFile): Outcome {
  const problem = pathProblem({ ...draft, folders: [] }, file.path);
  if (problem !== '') return { ok: false, problem };
  return { ok: true, draft: tidy({ ...draft, files: [...draft.files, file] }) };
}

export function addFolder(draft: Draft, path: string): Outcome {
  const problem = pathProblem(draft, path);
  return problem === '' ? { ok: true, draft: { ...draft, folders: [...draft.folders, path] } } : { ok: false, problem };
}

/** Puts files that somebody chose into a folder (empty: the top). Those that were there are replaced. */
export function putFiles(draft: Draft, folder: string, files: readonly TemplateFile[]): Outcome {
  let next = draft;
  for (const file of files) {
    const path = folder === '' ? file.path : `${folder}/${file.path}`;
    const [added] = draftOf([{ ...file, path }]).files;
    const known = next.files.find((one) => one.path === path);
    if (added === undefined) continue;
    const outcome = addFile({ ...next, files: next.files.filter((one) => one !== known) }, added);
    if (!outcome.ok) return outcome;
    next = outcome.draft;
  }
  return { ok: true, draft: next };
}

/** Gives a file, or a folder with all that is in it, another path. */
export function rename(draft: Draft, from: string, to: string): Outcome {
  if (from === to) return { ok: true, draft };
  const isMoved = (path: string): boolean => path === from || path.startsWith(`${from}/`);
  const others: Draft = {
    files: draft.files.filter(({ path }) => !isMoved(path)),
    folders: draft.folders.filter((path) => !isMoved(path)),
  };
  if (to.startsWith(`${from}/`) && !draft.files.some(({ path }) => path === from)) {
    return { ok: false, problem: 'A folder cannot be moved into itself.' };
  }
  const problem = pathProblem(others, to);
  if (problem !== '') return { ok: false, problem };
  const moved = (path: string): string => (isMoved(path) ? to + path.slice(from.length) : path);
  return {
    ok: true,
    draft: tidy({
      files: draft.files.map((file) => ({ ...file, path: moved(file.path) })),
      folders: draft.folders.map(moved),
    }),
  };
}

/** Takes a file away, or a folder with all that is in it. */
export function remove({ files, folders }: Draft, path: string): Draft {
  const isGone = (one: string): boolean => one === path || one.startsWith(`${path}/`);
  return { files: files.filter((file) => !isGone(file.path)), folders: folders.filter((folder) => !isGone(folder)) };
}

export function setText(draft: Draft, path: string, text: string): Draft {
  return { ...draft, files: draft.files.map((file) => (file.path === path ? { ...file, text } : file)) };
}

/** Folders with a file need no place of their own; files are in order. */
function tidy({ files, folders }: Draft): Draft {
  return {
    files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    folders: folders.filter((folder) => !files.some(({ path }) => path.startsWith(`${folder}/`))),
  };
}

/** The paths that differ between two drafts: changed, new, and gone. */
export function changedPaths(base: Draft, draft: Draft): Set<string> {
  const olds = new Map(base.files.map((file) => [file.path, file]));
  const changed = new Set<string>();
  for (const file of draft.files) {
    const old = olds.get(file.path);
    olds.delete(file.path);
    if (old === undefined || !isSame(old, file)) changed.add(file.path);
  }
  for (const path of olds.keys()) changed.add(path);
  return changed;
}

function isSame(one: DraftFile, other: DraftFile): boolean {
  if (one === other) return true;
  if ((one.isExecutable ?? false) !== (other.isExecutable ?? false) || one.link !== other.link) return false;
  if (one.text !== undefined && other.text !== undefined) return one.text === other.text;
  return one.text === other.text && one.bytes.length === other.bytes.length && one.bytes.every((byte, at) => byte === other.bytes[at]);
}
