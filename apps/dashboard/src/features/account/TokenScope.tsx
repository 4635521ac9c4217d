import { Badge, Tooltip, UnstyledButton } from '@mantine/core';
import type { Outputs } from '../../api/trpc.ts';
import { permissionLines } from './permission-words.ts';
import { scopeBadge } from './token-scope.ts';

type Scoped = Pick<Outputs['tokens']['list'][number], 'scope' | 'permissions'>;

/** What a token is limited to; the permissions themselves on hover and focus. */
export function TokenScope({ token }: { token: Scoped }): React.JSX.Element {
  const lines = permissionLines(token.permissions);
  const badge = (
    <Badge miw="max-content" color={token.scope === 'all' ? 'harbour' : 'gray'}>
      {scopeBadge(token.scope)}
    </Badge>
  );
  if (token.scope !== 'limited') return badge;
  return (
    <Tooltip
      multiline
      maw={320}
      label={lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    >
      <UnstyledButton aria-label={`limited to ${lines.join('; ')}`}>{badge}</UnstyledButton>
    </Tooltip>
  );
}
