import { Badge, Text } from '@mantine/core';
import { UserAvatar } from '../../ui/UserAvatar.tsx';
import { When } from '../../ui/When.tsx';
import classes from './AuditRow.module.css';
import type { AuditLog } from './audit-words.ts';
import { sentence } from './audit-words.ts';
import { programName } from './programs.ts';

/** How many of the fields that changed are named. */
const FIELDS_MAX = 3;

interface Props {
  readonly row: AuditLog;
  readonly isOpen: boolean;
  readonly isNew: boolean;
  readonly onOpen: (id: string) => void;
}

/** One entry: the sentence; everything else when opened. */
export function AuditRow({ row, isOpen, isNew, onOpen }: Props): React.JSX.Element {
  const who = row.user?.username ?? '';
  const place =
    row.organization === null ? '' : row.organization.display_name === '' ? row.organization.name : row.organization.display_name;
  return (
    <li className={classes['item']} data-new={isNew || undefined}>
      <button
        type="button"
        className={classes['row']}
        data-audit-row={row.id}
        aria-haspopup="dialog"
        aria-current={isOpen ? 'true' : undefined}
        onClick={() => onOpen(row.id)}
      >
        <UserAvatar username={who} avatarUrl={row.user?.avatar_url ?? ''} size={30} visibleFrom="xs" />
        <span className={classes['what']}>
          <Text span size="sm" display="block" className="wrap-anywhere">
            {sentence(row).map(({ text, isName }, index) => (
              <Text key={`${index}:${text}`} span inherit fw={isName ? 600 : 400}>
                {text}
              </Text>
            ))}
            {row.is_deleted && row.action !== 'delete' && (
              <Text span inherit c="dimmed">
                {' '}
                (deleted since)
              </Text>
            )}
          </Text>
          <Text span size="xs" c="dimmed" display="block" className="wrap-anywhere">
            <When at={row.time} />
            {place !== '' && ` · ${place}`}
            {row.action === 'write' && changedFields(row)}
          </Text>
        </span>
        {row.status_code >= 400 && (
          <Badge color="red" title="The attempt was refused">
            {row.status_code}
          </Badge>
        )}
        <Text span size="xs" c="dimmed" visibleFrom="sm" w={150} ta="right" truncate>
          {[row.ip, programName(row.user_agent)].filter((part) => part !== '').join(' · ')}
        </Text>
      </button>
    </li>
  );
}

function changedFields({ diff }: AuditLog): string {
  const fields = Object.keys(diff).map((field) => field.replaceAll('_', ' '));
  if (fields.length === 0) return '';
  const more = fields.length - FIELDS_MAX;
  return ` · ${fields.slice(0, FIELDS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
