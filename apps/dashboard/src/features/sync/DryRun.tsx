import { Button, Checkbox, Group, SegmentedControl, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/trpc.ts';
import { Refusal } from '../../ui/Refusal.tsx';
import { Section } from '../account/Section.tsx';
import { UserPicker } from '../users/UserPicker.tsx';
import type { User } from '../users/user-words.ts';
import { readClaims } from './claims-text.ts';
import type { SyncDrafts } from './drafts.ts';
import { DryRunResult } from './DryRunResult.tsx';

const EXAMPLE = `{
  "sub": "42",
  "email": "ada@example.com",
  "groups": ["engineering"]
}`;

/** Tries claims without a sign-in: what they would give, and why. Changes nothing. */
export function DryRun({ organizationId, drafts }: { organizationId?: string; drafts: SyncDrafts }): React.JSX.Element {
  const [source, setSource] = useState<'paste' | 'last'>('paste');
  const [text, setText] = useState(EXAMPLE);
  const [problem, setProblem] = useState<string | undefined>();
  const [user, setUser] = useState<User | null>(null);
  const run = useMutation(trpc.idpSync.dryRun.mutationOptions());
  const [wantsDrafts, setWantsDrafts] = useState(true);
  const hasDrafts = Object.keys(drafts).length > 0;
  const isLast = source === 'last';
  const start = (): void => {
    const claims = isLast ? undefined : readClaims(text);
    if (claims !== undefined && 'problem' in claims) {
      setProblem(claims.problem);
      return;
    }
    setProblem(undefined);
    run.mutate({
      ...(claims === undefined ? {} : { claims: claims.claims }),
      ...(user === null ? {} : { user: user.id }),
      ...(organizationId === undefined ? {} : { organization: organizationId }),
      ...(hasDrafts && wantsDrafts ? { settings: drafts } : {}),
    });
  };
  return (
    <Section title="Try claims" description="See what a sign-in would give, and why. Nothing is changed, and nothing is kept.">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
        <Stack>
          <SegmentedControl
            aria-label="Which claims"
            value={source}
            onChange={(value) => setSource(value === 'last' ? 'last' : 'paste')}
            data={[
              { value: 'paste', label: 'Paste claims' },
              { value: 'last', label: 'A last sign-in' },
            ]}
            style={{ alignSelf: 'flex-start' }}
          />
          {!isLast && (
            <Textarea
              label="Claims"
              description="JSON as the provider sends it, or a whole ID token."
              autosize
              minRows={5}
              maxRows={16}
              spellCheck={false}
              styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--mantine-font-size-xs)' } }}
              value={text}
              onChange={(event) => setText(event.currentTarget.value)}
              error={problem}
            />
          )}
          <Group align="flex-end" gap="xs">
            <UserPicker
              label={isLast ? 'Whose' : 'Whose sign-in it would be'}
              placeholder={isLast ? 'Name, username or e-mail' : 'Somebody new'}
              value={user}
              onChange={setUser}
            />
            <Button type="submit" loading={run.isPending} disabled={isLast && user === null}>
              Try
            </Button>
          </Group>
          {hasDrafts && (
            <Checkbox
              label="With the settings above as they stand there, before they are saved"
              checked={wantsDrafts}
              onChange={(event) => setWantsDrafts(event.currentTarget.checked)}
            />
          )}
          <Refusal error={run.error} />
        </Stack>
      </form>
      {run.data !== undefined && !run.isPending && <DryRunResult result={run.data} isOrganization={organizationId !== undefined} />}
    </Section>
  );
}
