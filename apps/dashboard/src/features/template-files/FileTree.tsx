import { IconChevronDown, IconChevronRight, IconFile, IconFileCode, IconFileText, IconFolder } from '@tabler/icons-react';
import { useState } from 'react';
import type { TreeNode } from './file-tree.ts';
import { treeOf } from './file-tree.ts';
import classes from './FileTree.module.css';

interface Props {
  readonly label: string;
  readonly paths: readonly string[];
  /** Folders that may have no file yet. */
  readonly folders?: readonly string[];
  readonly current: string | undefined;
  readonly onOpen: (path: string) => void;
  /** Beside the name of a file. */
  readonly mark?: (path: string) => React.ReactNode;
  /** At the end of a row: what can be done with it. */
  readonly actions?: (node: TreeNode) => React.ReactNode;
}

/** Files in their folders. Arrow keys go from row to row; right and left open and close a folder. */
export function FileTree({ label, paths, folders, current, onOpen, mark, actions }: Props): React.JSX.Element {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const toggle = (path: string, isOpen: boolean): void =>
    setClosed((known) => {
      const next = new Set(known);
      if (isOpen) next.delete(path);
      else next.add(path);
      return next;
    });
  const rows = (nodes: readonly TreeNode[], depth: number): React.JSX.Element => (
    <ul className={classes['list']} {...(depth === 0 ? { 'aria-label': label } : {})}>
      {nodes.map((node) => {
        const isOpen = node.kind === 'folder' && !closed.has(node.path);
        return (
          <li key={`${node.kind}:${node.path}`}>
            <div className={classes['row']} data-current={node.kind === 'file' && node.path === current}>
              <button
                type="button"
                className={classes['node']}
                style={{ '--depth': depth } as React.CSSProperties}
                title={node.path}
                data-node
                {...(node.kind === 'folder'
                  ? { 'aria-expanded': isOpen, onClick: () => toggle(node.path, !isOpen) }
                  : { 'aria-current': node.path === current ? ('true' as const) : undefined, onClick: () => onOpen(node.path) })}
                onKeyDown={(event) => {
                  moveFocus(event);
                  if (node.kind === 'folder' && (event.key === 'ArrowRight' || event.key === 'ArrowLeft')) {
                    event.preventDefault();
                    toggle(node.path, event.key === 'ArrowRight');
                  }
                }}
              >
                <NodeIcon node={node} isOpen={isOpen} />
                <span className={classes['name']}>{node.name}</span>
                {node.kind === 'file' && mark?.(node.path)}
              </button>
              {actions?.(node)}
            </div>
            {isOpen && node.kind === 'folder' && rows(node.children, depth + 1)}
          </li>
        );
      })}
    </ul>
  );
  return <div data-tree>{rows(treeOf(paths, folders), 0)}</div>;
}

function moveFocus(event: React.KeyboardEvent<HTMLButtonElement>): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  const nodes = [...(event.currentTarget.closest('[data-tree]')?.querySelectorAll<HTMLElement>('[data-node]') ?? [])];
  const at = nodes.findIndex((node) => node === event.currentTarget);
  event.preventDefault();
  nodes[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

function NodeIcon({ node, isOpen }: { node: TreeNode; isOpen: boolean }): React.JSX.Element {
  const common = { size: 16, className: classes['icon'], 'aria-hidden': true } as const;
  if (node.kind === 'folder') {
    const Chevron = isOpen ? IconChevronDown : IconChevronRight;
    return (
      <>
        <Chevron {...common} size={14} />
        <IconFolder {...common} />
      </>
    );
  }
  if (/\.(?:md|markdown|txt)$/i.test(node.name)) return <IconFileText {...common} />;
  if (/\.(?:ya?ml|json|tf|sh|ts|js|mjs|toml|hcl)$/i.test(node.name)) return <IconFileCode {...common} />;
  return <IconFile {...common} />;
}
