import { Box, Skeleton, Stack, Text } from '@mantine/core';
import type { Template } from '@berth/api/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { Suspense, lazy } from 'react';
import { whenReachable } from '../../api/reachability.ts';
import { trpc } from '../../api/trpc.ts';
import { ErrorNotice } from '../../ui/ErrorNotice.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { AnchorLink } from '../../ui/links.tsx';
import { When } from '../../ui/When.tsx';
import { driverName, typicalBuildTime, usedBy } from './template-words.ts';

const Markdown = lazy(() => whenReachable(() => import('../../ui/Markdown.tsx')).then((module) => ({ default: module.Markdown })));

/** What a template is: its facts, and what its author wrote about it. */
export function ReadmeTab({ template }: { template: Template }): React.JSX.Element {
  const version = useQuery(trpc.templateVersions.get.queryOptions({ templateversion: template.active_version_id }));
  const took = typicalBuildTime(template);
  return (
    <Stack>
      <Box className="surface" p="lg">
        <Facts
          facts={[
            [
              'Active version',
              version.data === undefined ? (
                '…'
              ) : (
                <AnchorLink
                  inherit
                  to="/templates/$organization/$name/versions/$version"
                  params={{ organization: template.organization_name, name: template.name, version: version.data.name }}
                >
                  {version.data.name}
                </AnchorLink>
              ),
            ],
            ['Runs as', driverName(template.provisioner)],
            ['Used this week by', usedBy(template)],
            ['A start takes', took === '' ? 'not measured yet' : `about ${took}`],
            ['Made by', template.created_by_name],
            ['Last changed', <When key="updated" at={template.updated_at} />],
          ]}
        />
      </Box>
      {version.isError ? (
        <ErrorNotice error={version.error} title="The README could not be loaded" onRetry={() => void version.refetch()} />
      ) : (
        <Box component="section" className="surface" p="lg" aria-label="README" mih={200}>
          {version.data === undefined ? <Skeleton height={160} /> : <Readme text={version.data.readme} />}
        </Box>
      )}
    </Stack>
  );
}

/** A README as its author meant it; what to do where there is none. */
export function Readme({ text }: { text: string }): React.JSX.Element {
  if (text.trim() === '') {
    return (
      <Text size="sm" c="dimmed">
        This version has no README. Put a README.md beside the template’s file, and it appears here.
      </Text>
    );
  }
  return (
    <Suspense fallback={<Skeleton height={160} />}>
      <Markdown text={text} />
    </Suspense>
  );
}
