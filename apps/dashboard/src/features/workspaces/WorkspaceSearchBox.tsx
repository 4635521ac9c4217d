import { SearchBox } from '../../ui/SearchBox.tsx';
import { PRESETS } from './search-presets.ts';

interface Props {
  readonly q: string;
  readonly onSearch: (q: string) => void;
}

/** The search language of workspaces. */
export function WorkspaceSearchBox(props: Props): React.JSX.Element {
  return (
    <SearchBox {...props} label="Search workspaces" placeholder="Search: owner:me status:running template:node-web" presets={PRESETS} />
  );
}
