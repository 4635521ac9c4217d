import type { WorkspaceApp } from '@berth/api/contract/agents';
import { useState } from 'react';
import { ButtonLink } from '../../ui/links.tsx';
import { knownShells, newShell, rememberShells, shellsText, SHELLS_MAX } from '../terminal/shells.ts';

interface Props {
  readonly app: WorkspaceApp;
  readonly agent: { readonly id: string; readonly name: string };
  readonly workspace: { readonly owner_name: string; readonly name: string };
  readonly icon: React.ReactNode;
  readonly title: string;
}

/** An app that is a command: it opens in a terminal, beside those that are open already. */
export function CommandApp({ app, agent, workspace, icon, title }: Props): React.JSX.Element {
  const [fresh] = useState(() => newShell(app.slug));
  const known = knownShells(sessionStorage, agent.id);
  const running = known.findIndex(({ app: slug }) => slug === app.slug);
  const shells = running >= 0 ? known : [...known.slice(0, SHELLS_MAX - 1), fresh];
  const index = running >= 0 ? running : shells.length - 1;
  return (
    <ButtonLink
      variant="default"
      size="sm"
      leftSection={icon}
      to="/@{$owner}/$name"
      params={{ owner: workspace.owner_name, name: workspace.name }}
      search={{ tab: 'terminal', agent: agent.name, shells: shellsText(shells), shell: index === 0 ? undefined : index + 1 }}
      preload={false}
      // Who clicks here wants it to run; who follows a link from elsewhere is asked.
      onClick={() => rememberShells(sessionStorage, agent.id, shells)}
    >
      {title}
    </ButtonLink>
  );
}
