import { userProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { archiveTemplateVersion, archiveUnusedVersions, unarchiveTemplateVersion } from './archive-versions.ts';
import { cancelTemplateVersion } from './cancel-version.ts';
import {
  ArchiveTemplateVersionOutput,
  ArchiveTemplateVersionsInput,
  ArchivedTemplateVersions,
  CancelDryRunOutput,
  CancelTemplateVersionOutput,
  CreateDryRunInput,
  CreateTemplateVersionInput,
  DryRun,
  DryRunInput,
  DryRunLogList,
  DryRunLogsInput,
  DryRunResourceList,
  FollowDryRunLogsInput,
  FollowTemplateVersionLogsInput,
  ListTemplateVersionsInput,
  TemplateVersion,
  TemplateVersionExternalAuthList,
  TemplateVersionInput,
  TemplateVersionList,
  TemplateVersionLogList,
  TemplateVersionLogsInput,
  TemplateVersionParameterList,
  TemplateVersionResourceList,
  TemplateVersionVariableList,
  UpdateTemplateVersionInput,
  VersionByNamesInput,
  VersionByTemplateInput,
  routes,
} from './contract.ts';
import { createTemplateVersion } from './create-version.ts';
import { createDryRun } from './dry-runs/create-dry-run.ts';
import { cancelDryRun, getDryRun, getDryRunLogs, getDryRunResources, subscribeDryRunLogs } from './dry-runs/read-dry-runs.ts';
import {
  getRichParameters,
  getTemplateVersion,
  getTemplateVersionLogs,
  getTemplateVersionResources,
  getTemplateVersionVariables,
  listTemplateVersions,
  subscribeTemplateVersionLogs,
} from './read-versions.ts';
import { getVersionExternalAuth } from './external-auth.ts';
import { getPreviousVersion, getVersionByNames, listVersionsByName } from './find-version.ts';
import { updateTemplateVersion } from './update-version.ts';

export const templateVersionsRouter = t.router({
  create: userProcedure
    .meta({ ...routes.create, permission: 'template:create', audit: { resource: 'template_version', action: 'create' } })
    .input(CreateTemplateVersionInput)
    .output(TemplateVersion)
    .mutation(({ ctx, input }) => createTemplateVersion(ctx, input)),

  list: userProcedure
    .meta({ ...routes.list, permission: 'template:read' })
    .input(ListTemplateVersionsInput)
    .output(TemplateVersionList)
    .query(({ ctx, input }) => listTemplateVersions(ctx, input)),

  get: userProcedure
    .meta({ ...routes.get, permission: 'template:read' })
    .input(TemplateVersionInput)
    .output(TemplateVersion)
    .query(({ ctx, input }) => getTemplateVersion(ctx, input)),

  cancel: userProcedure
    .meta({ ...routes.cancel, permission: 'template:update', audit: { resource: 'template_version', action: 'write' } })
    .input(TemplateVersionInput)
    .output(CancelTemplateVersionOutput)
    .mutation(({ ctx, input }) => cancelTemplateVersion(ctx, input)),

  update: userProcedure
    .meta({ ...routes.update, permission: 'template:update', audit: { resource: 'template_version', action: 'write' } })
    .input(UpdateTemplateVersionInput)
    .output(TemplateVersion)
    .mutation(({ ctx, input }) => updateTemplateVersion(ctx, input)),

  archive: userProcedure
    .meta({ ...routes.archive, permission: 'template:update', audit: { resource: 'template_version', action: 'write' } })
    .input(TemplateVersionInput)
    .output(ArchiveTemplateVersionOutput)
    .mutation(({ ctx, input }) => archiveTemplateVersion(ctx, input)),

  unarchive: userProcedure
    .meta({ ...routes.unarchive, permission: 'template:update', audit: { resource: 'template_version', action: 'write' } })
    .input(TemplateVersionInput)
    .output(ArchiveTemplateVersionOutput)
    .mutation(({ ctx, input }) => unarchiveTemplateVersion(ctx, input)),

  archiveUnused: userProcedure
    .meta({ ...routes.archiveUnused, permission: 'template:update', audit: { resource: 'template_version', action: 'write' } })
    .input(ArchiveTemplateVersionsInput)
    .output(ArchivedTemplateVersions)
    .mutation(({ ctx, input }) => archiveUnusedVersions(ctx, input)),

  listByName: userProcedure
    .meta({ ...routes.listByName, permission: 'template:read' })
    .input(VersionByTemplateInput)
    .output(TemplateVersionList)
    .query(({ ctx, input }) => listVersionsByName(ctx, input)),

  getByNames: userProcedure
    .meta({ ...routes.getByNames, permission: 'template:read' })
    .input(VersionByNamesInput)
    .output(TemplateVersion)
    .query(({ ctx, input }) => getVersionByNames(ctx, input)),

  getPrevious: userProcedure
    .meta({ ...routes.getPrevious, permission: 'template:read' })
    .input(VersionByNamesInput)
    .output(TemplateVersion)
    .query(({ ctx, input }) => getPreviousVersion(ctx, input)),

  logs: userProcedure
    .meta({ ...routes.logs, permission: 'template:read' })
    .input(TemplateVersionLogsInput)
    .output(TemplateVersionLogList)
    .query(({ ctx, input }) => getTemplateVersionLogs(ctx, input)),

  followLogs: userProcedure
    .meta({ permission: 'template:read' })
    .input(FollowTemplateVersionLogsInput)
    .subscription(({ ctx, input, signal }) => subscribeTemplateVersionLogs(ctx, input, signal ?? new AbortController().signal)),

  resources: userProcedure
    .meta({ ...routes.resources, permission: 'template:read' })
    .input(TemplateVersionInput)
    .output(TemplateVersionResourceList)
    .query(({ ctx, input }) => getTemplateVersionResources(ctx, input)),

  richParameters: userProcedure
    .meta({ ...routes.richParameters, permission: 'template:read' })
    .input(TemplateVersionInput)
    .output(TemplateVersionParameterList)
    .query(({ ctx, input }) => getRichParameters(ctx, input)),

  variables: userProcedure
    .meta({ ...routes.variables, permission: 'template:read' })
    .input(TemplateVersionInput)
    .output(TemplateVersionVariableList)
    .query(({ ctx, input }) => getTemplateVersionVariables(ctx, input)),

  createDryRun: userProcedure
    .meta({ ...routes.createDryRun, permission: 'workspace:create', audit: { resource: 'template_version', action: 'start' } })
    .input(CreateDryRunInput)
    .output(DryRun)
    .mutation(({ ctx, input }) => createDryRun(ctx, input)),

  dryRun: userProcedure
    .meta({ ...routes.dryRun, permission: 'workspace:read' })
    .input(DryRunInput)
    .output(DryRun)
    .query(({ ctx, input }) => getDryRun(ctx, input)),

  dryRunResources: userProcedure
    .meta({ ...routes.dryRunResources, permission: 'workspace:read' })
    .input(DryRunInput)
    .output(DryRunResourceList)
    .query(({ ctx, input }) => getDryRunResources(ctx, input)),

  dryRunLogs: userProcedure
    .meta({ ...routes.dryRunLogs, permission: 'workspace:read' })
    .input(DryRunLogsInput)
    .output(DryRunLogList)
    .query(({ ctx, input }) => getDryRunLogs(ctx, input)),

  followDryRunLogs: userProcedure
    .meta({ permission: 'workspace:read' })
    .input(FollowDryRunLogsInput)
    .subscription(({ ctx, input, signal }) => subscribeDryRunLogs(ctx, input, signal ?? new AbortController().signal)),

  cancelDryRun: userProcedure
    .meta({ ...routes.cancelDryRun, permission: 'workspace:update', audit: { resource: 'template_version', action: 'stop' } })
    .input(DryRunInput)
    .output(CancelDryRunOutput)
    .mutation(({ ctx, input }) => cancelDryRun(ctx, input)),

  externalAuth: userProcedure
    .meta({ ...routes.externalAuth, permission: 'template:read' })
    .input(TemplateVersionInput)
    .output(TemplateVersionExternalAuthList)
    .query(({ ctx, input }) => getVersionExternalAuth(ctx, input)),
});
