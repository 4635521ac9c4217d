import type { Workspace } from '@berth/api/contract/workspaces';
import { VisuallyHidden } from '@mantine/core';
import { memo } from 'react';
import { When } from '../../../ui/When.tsx';
import type { ColumnKey } from './columns.ts';
import type { Act } from './RowAction.tsx';
import { RowAction } from './RowAction.tsx';
import { RowIcon } from './RowIcon.tsx';
import { RowLink } from './RowLink.tsx';
import { RowStatus } from './RowStatus.tsx';
import classes from './WorkspaceList.module.css';

export interface RowProps {
  readonly workspace: Workspace;
  readonly index: number;
  readonly isSelected: boolean;
  readonly onSelect: (workspace: Workspace, index: number, isRange: boolean) => void;
  readonly onAct: Act;
}

interface TableRowProps extends RowProps {
  readonly columns: readonly ColumnKey[];
  /** Whether the status stands under the name, since there is no room for columns. Either place has it, never both. */
  readonly isNarrow: boolean;
  /** Pixels. */
  readonly height: number;
  /** One line in each cell. */
  readonly isCompact: boolean;
}

/** A workspace of the table. It has the height of all others, whatever it holds. */
export const WorkspaceRow = memo(function WorkspaceRow(props: TableRowProps): React.JSX.Element {
  const { workspace, index, isSelected, onSelect, onAct, columns, isNarrow, height, isCompact } = props;
  return (
    <tr className={classes['row']} style={{ height }} data-index={index} aria-rowindex={index + 2} aria-selected={isSelected}>
      <td className={classes['check']}>
        <RowCheckbox workspace={workspace} index={index} isSelected={isSelected} onSelect={onSelect} />
      </td>
      <th scope="row">
        <div className={classes['name']}>
          <RowIcon icon={workspace.template_icon} name={workspace.template_name} size={isCompact ? 26 : 34} />
          <div className={classes['words']}>
            <RowLink workspace={workspace}>{isCompact && !isNarrow ? `${workspace.owner_name}/${workspace.name}` : workspace.name}</RowLink>
            {!(isCompact && !isNarrow) && <div className={classes['small']}>{workspace.owner_name}</div>}
            {isNarrow && <RowStatus workspace={workspace} />}
          </div>
        </div>
      </th>
      {columns.map((column) => (
        <td key={column}>
          <Cell workspace={workspace} column={column} isCompact={isCompact} />
        </td>
      ))}
      <td className={classes['last']}>
        <RowAction workspace={workspace} onAct={onAct} />
      </td>
    </tr>
  );
});

type RowCheckboxProps = Pick<RowProps, 'workspace' | 'index' | 'isSelected' | 'onSelect'>;

export function RowCheckbox({ workspace, index, isSelected, onSelect }: RowCheckboxProps): React.JSX.Element {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${workspace.owner_name}/${workspace.name}`}
      checked={isSelected}
      onChange={(event) => onSelect(workspace, index, event.nativeEvent instanceof MouseEvent && event.nativeEvent.shiftKey)}
    />
  );
}

function Cell({ workspace, column, isCompact }: { workspace: Workspace; column: ColumnKey; isCompact: boolean }): React.JSX.Element {
  const build = workspace.latest_build;
  switch (column) {
    case 'status':
      return <RowStatus workspace={workspace} />;
    case 'template':
      return (
        <Lines
          first={workspace.template_display_name === '' ? workspace.template_name : workspace.template_display_name}
          second={`${build.template_version_name}${workspace.outdated ? ' · update available' : ''}`}
          isCompact={isCompact}
        />
      );
    case 'last_build':
      return (
        <Lines
          first={<When at={build.created_at} />}
          second={`${build.transition} by ${build.reason === 'initiator' ? build.initiator_name : build.reason}`}
          isCompact={isCompact}
        />
      );
    case 'last_used':
      return <Lines first={<When at={workspace.last_used_at} />} isCompact={isCompact} />;
    case 'created':
      return <Lines first={<When at={workspace.created_at} />} isCompact={isCompact} />;
    case 'organization':
      return <Lines first={workspace.organization_name} isCompact={isCompact} />;
  }
}

function Lines({ first, second = '', isCompact }: { first: React.ReactNode; second?: string; isCompact: boolean }): React.JSX.Element {
  return (
    <>
      <div className={classes['line']}>{first}</div>
      {!isCompact && second !== '' && <div className={classes['small']}>{second}</div>}
    </>
  );
}

/** A row that is on its way, as high as it will be. */
export function RowBones({ index, height, columns }: { index: number; height: number; columns: number }): React.JSX.Element {
  return (
    <tr className={classes['row']} style={{ height }} data-index={index} aria-rowindex={index + 2}>
      <td colSpan={columns + 3}>
        <VisuallyHidden>Loading</VisuallyHidden>
        <div className={classes['bone']} style={{ width: `${40 + ((index * 7) % 30)}%`, marginInlineStart: 44 }} />
      </td>
    </tr>
  );
}
