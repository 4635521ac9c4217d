import { uuid } from '@berth/core';
import { z } from 'zod';
import { WorkspaceResource } from '../../agents/contract.ts';
import { RichParameterValues } from '../../builds/contract.ts';
import { Confirmation } from '../../kernel/confirmation.ts';
import { nameField } from '../../kernel/name-field.ts';
import { route } from '../../kernel/route.ts';
import { JobLogsQuery, ProvisionerJob, ProvisionerJobLog } from '../../provisioner-jobs/contract.ts';

export const VariableValue = z.object({ name: z.string().max(128).min(1), value: z.string().max(8192) }).meta({ id: 'VariableValue' });

export const CreateDryRunRequest = z
  .object({
    workspace_name: nameField('name').or(z.literal('')).optional().meta({ description: 'Made up when absent.' }),
    rich_parameter_values: RichParameterValues.optional(),
    user_variable_values: z
      .array(VariableValue)
      .max(128)
      .optional()
      .meta({ description: 'Variables of the version with other values than its own, for this run.' }),
  })
  .meta({ id: 'CreateTemplateVersionDryRunRequest' });

export const CreateDryRunInput = CreateDryRunRequest.extend({ templateversion: uuid() });
export type CreateDryRunInput = z.output<typeof CreateDryRunInput>;

export const DryRunInput = z.object({ templateversion: uuid(), jobID: uuid() });
export type DryRunInput = z.output<typeof DryRunInput>;

export const DryRunLogsInput = DryRunInput.extend(JobLogsQuery);
export type DryRunLogsInput = z.output<typeof DryRunLogsInput>;

/** `after` resumes; a subscription that reconnects sends the id of the last line it got as `lastEventId`. */
export const FollowDryRunLogsInput = DryRunInput.extend({
  after: z.int().min(0).optional(),
  lastEventId: z.string().max(32).nullish(),
});
export type FollowDryRunLogsInput = z.output<typeof FollowDryRunLogsInput>;

export const DryRun = ProvisionerJob;
export type DryRun = z.output<typeof DryRun>;
export const DryRunLogList = z.array(ProvisionerJobLog);
export const DryRunResourceList = z.array(WorkspaceResource);
export const CancelDryRunOutput = Confirmation;

const tag = 'Templates';
const path = '/templateversions/{templateversion}/dry-run';

export const dryRunRoutes = {
  createDryRun: route({
    method: 'POST',
    path,
    tag,
    id: 'create-template-version-dry-run',
    summary: 'Create template version dry-run',
    description: 'Says what the first start of a workspace of this version would make, and makes nothing.',
    status: 201,
    errors: ['forbidden', 'not_found', 'not_ready'],
  }),
  dryRun: route({
    method: 'GET',
    path: `${path}/{jobID}`,
    tag,
    id: 'get-template-version-dry-run-by-job-id',
    summary: 'Get template version dry-run by job ID',
    errors: ['forbidden', 'not_found'],
  }),
  dryRunResources: route({
    method: 'GET',
    path: `${path}/{jobID}/resources`,
    tag,
    id: 'get-template-version-dry-run-resources-by-job-id',
    summary: 'Get template version dry-run resources by job ID',
    description: 'Refused while the run is not over.',
    errors: ['forbidden', 'not_found'],
  }),
  dryRunLogs: route({
    method: 'GET',
    path: `${path}/{jobID}/logs`,
    tag,
    id: 'get-template-version-dry-run-logs-by-job-id',
    summary: 'Get template version dry-run logs by job ID',
    errors: ['forbidden', 'not_found'],
  }),
  cancelDryRun: route({
    method: 'PATCH',
    path: `${path}/{jobID}/cancel`,
    tag,
    id: 'cancel-template-version-dry-run-by-job-id',
    summary: 'Cancel template version dry-run by job ID',
    errors: ['forbidden', 'not_found'],
  }),
};
