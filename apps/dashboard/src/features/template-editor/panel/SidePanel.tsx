import { Badge, Tabs, Text } from '@mantine/core';
import type { Version } from '../../template-versions/version-words.ts';
import type { Place } from '../build/places.ts';
import type { DraftBuild } from '../build/use-draft-build.ts';
import type { GoTo } from '../code/CodeEditor.tsx';
import type { Draft } from '../draft/draft.ts';
import classes from '../Editor.module.css';
import { BuildPanel } from './BuildPanel.tsx';
import { FormPanel } from './FormPanel.tsx';
import { ProblemList } from './ProblemList.tsx';

const PANELS = ['form', 'build', 'problems'] as const;
export type Panel = (typeof PANELS)[number];

interface Props {
  readonly panel: Panel;
  readonly onPanel: (panel: Panel) => void;
  readonly build: DraftBuild;
  readonly draft: Draft;
  /** The latest version that was imported: the built one, or the one that the work began with. */
  readonly imported: Version | undefined;
  readonly isStale: boolean;
  /** What is known to be wrong without a build. */
  readonly problems: readonly Place[];
  readonly onGoTo: (place: GoTo) => void;
}

/** Beside the files: the form that they make, their build, and what is wrong. */
export function SidePanel({ panel, onPanel, build, draft, imported, isStale, problems, onGoTo }: Props): React.JSX.Element {
  return (
    <Tabs
      className={classes['panel']}
      value={panel}
      keepMounted={false}
      onChange={(value) => onPanel(PANELS.find((known) => known === value) ?? 'form')}
    >
      <Tabs.List>
        <Tabs.Tab value="form">Form</Tabs.Tab>
        <Tabs.Tab value="build">Build</Tabs.Tab>
        <Tabs.Tab
          value="problems"
          rightSection={
            problems.length > 0 && (
              <Badge size="sm" color="red" circle>
                {problems.length}
              </Badge>
            )
          }
        >
          Problems
        </Tabs.Tab>
      </Tabs.List>
      <div className={classes['panelBody']}>
        <Tabs.Panel value="form">
          {imported === undefined ? (
            <Text size="sm" c="dimmed">
              The form that people fill in appears here after a build.
            </Text>
          ) : (
            <FormPanel version={imported} isStale={isStale} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="build">
          <BuildPanel build={build} draft={draft} onGoTo={onGoTo} />
        </Tabs.Panel>
        <Tabs.Panel value="problems">
          {problems.length === 0 ? (
            <Text size="sm" c="dimmed">
              Nothing is wrong by the schema of berth.yaml. Build to check the rules between its parts too.
            </Text>
          ) : (
            <ProblemList places={problems} onGoTo={onGoTo} />
          )}
        </Tabs.Panel>
      </div>
    </Tabs>
  );
}
