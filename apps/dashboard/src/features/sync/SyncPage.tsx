import { Button, Checkbox, Group, List, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { formErrors, isKind, problemOf } from '../../api/errors.ts';
import type { Outputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { NotForYou } from '../../ui/NotForYou.tsx';
import { Page } from '../../ui/Page.tsx';
import { Refusal } from '../../ui/Refusal.tsx';
import { UnsavedGuard } from '../../ui/LeaveGuard.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { Section } from '../account/Section.tsx';
import type { Organization } from '../organizations/organization-words.ts';
import { organizationTitle } from '../organizations/organization-words.ts';
import { ClaimField } from './ClaimField.tsx';
import type { OrganizationDraft } from './drafts.ts';
import { differs, useDraft } from './drafts.ts';
import { DryRun } from './DryRun.tsx';
import { mappingOf, rowsOf } from './mapping-rows.ts';
import { MappingEditor } from './MappingEditor.tsx';

const FIELDS = ['field'] as const;
const LINKS_MAX = 50;

/** What the claims of a sign-in mean for the whole site, and a way to try it. */
export function SyncPage(): React.JSX.Element {
  const settings = useQuery(trpc.idpSync.organization.queryOptions({}));
  const organizations = useQuery(trpc.organizations.list.queryOptions({}));
  const { may } = useSiteRights();
  const [draft, setDraft] = useState<OrganizationDraft>();
  return (
    <Page title="Sign-on sync" subtitle="What your identity provider says about people decides where they belong, each time they sign in.">
      {settings.isError && isKind(settings.error, 'forbidden') ? (
        <NotForYou title="The sync settings are not for your role">
          Owners and user administrators of the deployment set them. Organizations have settings of their own for groups and roles.
        </NotForYou>
      ) : settings.isError ? (
        <ErrorNotice error={settings.error} title="The sync settings could not be loaded" onRetry={() => void settings.refetch()} />
      ) : settings.data === undefined || organizations.data === undefined ? (
        <Skeleton height={280} radius="md" />
      ) : (
        <>
          <OrganizationSyncForm
            key={JSON.stringify(settings.data)}
            settings={settings.data}
            organizations={organizations.data}
            isReadOnly={!may.writeSync}
            onDraft={setDraft}
          />
          <Section title="Groups and roles" description="Each organization says for itself how claims become its groups and roles.">
            <List size="sm" spacing={4} listStyleType="none">
              {organizations.data.slice(0, LINKS_MAX).map((organization) => (
                <List.Item key={organization.id}>
                  <AnchorLink
                    size="sm"
                    to="/people/organizations/$organization"
                    params={{ organization: organization.name }}
                    search={{ tab: 'sync' }}
                  >
                    {organizationTitle(organization)}
                  </AnchorLink>
                </List.Item>
              ))}
            </List>
          </Section>
        </>
      )}
      {settings.data !== undefined && <DryRun drafts={draft === undefined ? {} : { organization: draft }} />}
    </Page>
  );
}

interface FormProps {
  readonly settings: Outputs['idpSync']['organization'];
  readonly organizations: readonly Organization[];
  readonly isReadOnly: boolean;
  readonly onDraft: (draft: OrganizationDraft | undefined) => void;
}

function OrganizationSyncForm({ settings, organizations, isReadOnly, onDraft }: FormProps): React.JSX.Element {
  const queryClient = useQueryClient();
  const [field, setField] = useState(settings.field);
  const [joinsDefault, setJoinsDefault] = useState(settings.organization_assign_default);
  const [rows, setRows] = useState(() => rowsOf(settings.mapping));
  const seen = useQuery(trpc.idpSync.availableFields.queryOptions({}, { retry: false }));
  const draft: OrganizationDraft = { field: field.trim(), organization_assign_default: joinsDefault, mapping: mappingOf(rows) };
  useDraft(draft, settings, onDraft);
  const save = useMutation(
    trpc.idpSync.updateOrganization.mutationOptions({
      onSuccess: (saved) => {
        notifyDone('The organization sync is saved. It counts from each next sign-in.');
        queryClient.setQueryData(trpc.idpSync.organization.queryKey({}), saved);
      },
    }),
  );
  const errors = save.isError ? formErrors(problemOf(save.error), FIELDS).errors : {};
  return (
    <Section title="Organizations" description="People join the organizations that the values of a claim give them, and leave all others.">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(draft);
        }}
      >
        <Stack>
          <UnsavedGuard isDirty={!isReadOnly && differs(draft, settings)} />
          <Refusal error={save.error} fields={FIELDS} />
          <ClaimField
            value={field}
            onChange={setField}
            seen={seen.data ?? []}
            what="organizations"
            isReadOnly={isReadOnly}
            error={errors['field']}
          />
          <Checkbox
            label="Everybody joins the default organization"
            checked={joinsDefault}
            disabled={isReadOnly}
            onChange={(event) => setJoinsDefault(event.currentTarget.checked)}
          />
          <MappingEditor
            rows={rows}
            onChange={setRows}
            targets={organizations.map((organization) => ({ value: organization.id, label: organizationTitle(organization) }))}
            targetLabel="Organizations"
            isReadOnly={isReadOnly}
          />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button type="submit" loading={save.isPending}>
                Save organization sync
              </Button>
            </Group>
          )}
        </Stack>
      </form>
    </Section>
  );
}
