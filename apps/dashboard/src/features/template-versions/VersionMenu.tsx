import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { Template } from '@berth/api/contract/templates';
import { IconArchive, IconArchiveOff, IconCode, IconDots, IconGitCompare, IconPencil, IconRosetteDiscountCheck } from '@tabler/icons-react';
import { MenuItemLink } from '../../ui/links.tsx';
import { RenameVersion } from './RenameVersion.tsx';
import { useArchive, usePromote, useUnarchive } from './use-version-change.ts';
import type { Version } from './version-words.ts';

interface Props {
  readonly template: Pick<Template, 'id' | 'name' | 'organization_name' | 'active_version_id'>;
  readonly version: Version;
  readonly onRenamed?: (name: string) => Promise<void>;
}

/** What can be done with a version. */
export function VersionMenu({ template, version, onRenamed }: Props): React.JSX.Element {
  const promote = usePromote(version);
  const archive = useArchive(version);
  const unarchive = useUnarchive(version);
  const [isRenaming, renaming] = useDisclosure(false);
  const isActive = version.id === template.active_version_id;
  const address = { organization: template.organization_name, name: template.name, version: version.name };
  return (
    <>
      <Menu position="bottom-end" width={230}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size={34}
            aria-label={`Actions for ${version.name}`}
            loading={promote.isPending || archive.isPending || unarchive.isPending}
          >
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isActive && !version.archived && version.job.status === 'succeeded' && (
            <Menu.Item
              leftSection={<IconRosetteDiscountCheck size={16} />}
              onClick={() => promote.mutate({ template: template.id, id: version.id })}
            >
              Promote
            </Menu.Item>
          )}
          <MenuItemLink leftSection={<IconCode size={16} />} to="/templates/$organization/$name/versions/$version/edit" params={address}>
            Start from this version
          </MenuItemLink>
          <MenuItemLink
            leftSection={<IconGitCompare size={16} />}
            to="/templates/$organization/$name/versions/$version"
            params={address}
            search={{ tab: 'changes' }}
          >
            What changed
          </MenuItemLink>
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={renaming.open}>
            Rename…
          </Menu.Item>
          {version.archived ? (
            <Menu.Item leftSection={<IconArchiveOff size={16} />} onClick={() => unarchive.mutate({ templateversion: version.id })}>
              Bring back
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconArchive size={16} />}
              disabled={isActive || version.job.completed_at === null}
              onClick={() => archive.mutate({ templateversion: version.id })}
            >
              Archive
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <RenameVersion
        key={version.updated_at}
        version={version}
        isOpen={isRenaming}
        onClose={renaming.close}
        {...(onRenamed === undefined ? {} : { onRenamed })}
      />
    </>
  );
}
