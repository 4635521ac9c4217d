import { memo } from 'react';
import { When } from '../../../ui/When.tsx';
import { RowAction } from './RowAction.tsx';
import { RowIcon } from './RowIcon.tsx';
import { RowLink } from './RowLink.tsx';
import { RowStatus } from './RowStatus.tsx';
import classes from './WorkspaceList.module.css';
import type { RowProps } from './WorkspaceRow.tsx';
import { RowCheckbox } from './WorkspaceRow.tsx';

/** A workspace as a card. */
export const WorkspaceCard = memo(function WorkspaceCard({ workspace, index, isSelected, onSelect, onAct }: RowProps): React.JSX.Element {
  const template = workspace.template_display_name === '' ? workspace.template_name : workspace.template_display_name;
  return (
    <li className={`surface ${classes['card']}`} data-index={index} data-selected={isSelected}>
      <div className={classes['cardHead']}>
        <RowIcon icon={workspace.template_icon} name={workspace.template_name} size={34} />
        <div className={classes['words']}>
          <RowLink workspace={workspace}>{workspace.name}</RowLink>
          <div className={classes['small']}>
            {workspace.owner_name} · {template}
            {workspace.outdated && ' · update available'}
          </div>
        </div>
        <div className={classes['check']}>
          <RowCheckbox workspace={workspace} index={index} isSelected={isSelected} onSelect={onSelect} />
        </div>
      </div>
      <div className={classes['cardFoot']}>
        <div>
          <RowStatus workspace={workspace} />
          <div className={classes['small']} style={{ marginTop: 6 }}>
            used <When at={workspace.last_used_at} />
          </div>
        </div>
        <RowAction workspace={workspace} onAct={onAct} />
      </div>
    </li>
  );
});

export function CardBones({ index }: { index: number }): React.JSX.Element {
  return (
    <li className={`surface ${classes['card']}`} data-index={index} aria-label="Loading">
      <div className={classes['bone']} style={{ width: '50%' }} />
      <div className={classes['bone']} style={{ width: '30%' }} />
    </li>
  );
}
