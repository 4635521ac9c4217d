import { Alert, Badge, Box, Button, Group, List, Stack, Table, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { nameProblem } from '@berth/domain';
import { IconForms } from '@tabler/icons-react';
import { ButtonLink } from '../../ui/links.tsx';
import { templateTitle } from '../templates/template-name.ts';
import { organizationOf } from '../templates/template-words.ts';
import type { LinkValues } from './CreateWorkspaceForm.tsx';
import type { Origin } from './parameter-form.ts';
import { draftOf, initialDraft, originOf, parameterLabel, readableValue, unusedOf, usableEarlier, viewForm } from './parameter-form.ts';
import type { VersionFacts } from './VersionGate.tsx';

interface Props extends VersionFacts {
  readonly template: Template;
  readonly link: LinkValues;
  readonly onAgree: () => void;
  readonly onRefuse: () => void;
}

/**
 * What a link would fill in, before it does. Whoever made the link chose these values, and some of them decide what runs in the
 * workspace; so a person looks first, and even then nothing is made until they send the form.
 */
export function LinkConsent({ template, definitions, earlier, link, onAgree, onRefuse }: Props): React.JSX.Element {
  const sources = {
    defaults: initialDraft(definitions),
    earlier: usableEarlier(definitions, earlier),
    link: link.values,
    own: {},
  };
  const { fields } = viewForm(definitions, draftOf(sources));
  const unused = unusedOf(definitions, fields, link.values);
  return (
    <Stack maw={720}>
      <Text size="sm">
        You came here by a link that wants a workspace made from the template <b>{templateTitle(template)}</b> of {organizationOf(template)}
        . Nothing is made yet: the next page is the form, and you send it yourself.
      </Text>
      <Box className="surface" style={{ overflow: 'hidden' }}>
        <Table verticalSpacing="sm" horizontalSpacing="md" aria-label="What the form would say">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Field</Table.Th>
              <Table.Th>Value</Table.Th>
              <Table.Th w={110}>From</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <AnswerRow
              label="Name"
              value={link.name === '' ? 'a suggestion' : link.name}
              problem={link.name === '' ? '' : (nameProblem('name', link.name) ?? '')}
              origin={link.name === '' ? 'default' : 'link'}
            />
            {fields.map(({ parameter, value, problem }) => {
              const isLeft = value === '' && parameter.required;
              return (
                <AnswerRow
                  key={parameter.name}
                  label={parameterLabel(parameter)}
                  detail={parameter.mutable ? '' : 'Cannot be changed later'}
                  value={readableValue(parameter, value)}
                  problem={isLeft ? '' : problem}
                  origin={isLeft ? 'own' : originOf(sources, parameter.name)}
                />
              );
            })}
          </Table.Tbody>
        </Table>
      </Box>
      {unused.length > 0 && (
        <Alert color="orange" title="Not everything in the link can be used">
          <Text size="sm">The rest is left out:</Text>
          <List size="sm" mt={4}>
            {unused.map(({ name, value, reason }) => (
              <List.Item key={name} className="wrap-anywhere">
                <b>
                  {name} = {value}
                </b>
                : {reason}
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Text size="sm" c="dimmed">
        Go on only if you know where the link is from: a repository or a script that it names may run in your workspace, as you.
      </Text>
      <Group>
        <Button leftSection={<IconForms size={16} />} onClick={onAgree}>
          Fill in the form
        </Button>
        <Button variant="default" onClick={onRefuse}>
          Start without these values
        </Button>
        <ButtonLink to="/workspaces" variant="subtle">
          Cancel
        </ButtonLink>
      </Group>
    </Stack>
  );
}

interface RowProps {
  readonly label: string;
  readonly detail?: string;
  readonly value: string;
  readonly problem: string;
  readonly origin: Origin;
}

function AnswerRow({ label, detail = '', value, problem, origin }: RowProps): React.JSX.Element {
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <Text size="sm" fw={600} className="wrap-anywhere">
          {label}
        </Text>
        {detail !== '' && (
          <Text size="xs" c="dimmed">
            {detail}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="wrap-anywhere">
        <Text size="sm" c={value === '' ? 'dimmed' : undefined} style={{ whiteSpace: 'pre-wrap' }}>
          {value === '' ? 'empty' : value}
        </Text>
        {problem !== '' && (
          <Text size="xs" c="var(--mantine-color-error)">
            {problem}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <FromWhere origin={origin} />
      </Table.Td>
    </Table.Tr>
  );
}

function FromWhere({ origin }: { origin: Origin }): React.JSX.Element {
  switch (origin) {
    case 'link':
      return <Badge color="blue">The link</Badge>;
    case 'earlier':
      return <Text size="sm">You, last time</Text>;
    case 'own':
      return <Text size="sm">You, in the form</Text>;
    case 'default':
      return (
        <Text size="sm" c="dimmed">
          The template
        </Text>
      );
  }
}
