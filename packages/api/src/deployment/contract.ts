import { z } from 'zod';
import { route } from '../kernel/route.ts';
import { DeploymentValues } from './values/contract.ts';

export const DeploymentOptionGroup = z
  .object({
    name: z.string(),
    description: z.string(),
    yaml: z.string(),
    get parent() {
      return DeploymentOptionGroup.nullable();
    },
  })
  .meta({ id: 'DeploymentOptionGroup' });

export const DeploymentOption = z
  .object({
    name: z.string(),
    description: z.string().meta({ description: 'Markdown.' }),
    env: z.string(),
    yaml: z.string().meta({ description: 'Its place in the settings file; empty: only the environment has it.' }),
    flag: z.string(),
    flag_shorthand: z.string(),
    default: z.string().meta({ description: 'What holds without it, in words.' }),
    value: z.unknown().meta({ description: 'Null for a secret that is set.' }),
    value_source: z.enum(['', 'flag', 'env', 'yaml', 'default']).meta({ id: 'DeploymentValueSource' }),
    required: z.boolean(),
    hidden: z.boolean(),
    annotations: z
      .record(z.string(), z.string())
      .meta({ id: 'DeploymentOptionAnnotations', description: '`secret`: its value is never shown.' }),
    group: DeploymentOptionGroup,
    get use_instead() {
      return z.array(DeploymentOption);
    },
  })
  .meta({ id: 'DeploymentOption', description: 'A setting of the server.' });
export type DeploymentOption = z.output<typeof DeploymentOption>;

export const DeploymentConfig = z
  .object({ config: DeploymentValues, options: z.array(DeploymentOption) })
  .meta({ id: 'DeploymentConfig', description: 'The settings of the server that answers, without any secret.' });
export type DeploymentConfig = z.output<typeof DeploymentConfig>;

export const routes = {
  config: route({
    method: 'GET',
    path: '/deployment/config',
    tag: 'General',
    id: 'get-deployment-config',
    summary: 'Get the settings of the server',
    description: 'Secrets are never shown: only whether they are set.',
    errors: ['forbidden'],
  }),
};
