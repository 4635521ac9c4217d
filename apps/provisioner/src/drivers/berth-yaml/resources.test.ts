import { NIL_UUID } from '@berth/core';
import { ProvisionedResource } from '@berth/protocol';
import { describe, expect, it } from 'vitest';
import { interpolate } from './interpolate.ts';
import { parseTemplate } from './read-template.ts';
import { buildScope, importScope, parameterEnvironment, toResources } from './resources.ts';
import { buildJob } from '../../testing/jobs.ts';

const { yaml } = parseTemplate(`version: 1
variables: [{ name: mirror, default: "https://mirror.example" }]
parameters:
  - { name: port, type: number, default: 3000 }
  - { name: project-name, default: app }
resources:
  - name: dev
    type: process
    daily_cost: 3
    metadata: [{ key: for, value: "\${{ owner.username }}/\${{workspace.name}}" }]
    agent:
      directory: ~/\${{ parameters.project-name }}
      env: { MIRROR: "\${{ variables.mirror }}", LEVEL: 3 }
      apps:
        - slug: web
          url: http://localhost:\${{ parameters.port }}
          healthcheck: { url: "http://localhost:\${{ parameters.port }}/health" }
      scripts: [{ display_name: Go, script: 'echo "$BERTH_PARAM_PORT"', run_on_start: true }]
`);

describe('resources of a build', () => {
  it('have the values of parameters, variables, workspace and owner filled in', () => {
    const job = buildJob({ rich_parameter_values: [{ name: 'port', value: '8080' }] });
    const { resources, broken } = toResources(yaml, buildScope(yaml, job));
    expect(broken).toEqual([]);
    const [resource] = resources;
    expect(resource).toMatchObject({ metadata: [{ key: 'for', value: 'alice/dev' }], daily_cost: 3 });
    expect(resource?.agents[0]).toMatchObject({
      directory: '~/app',
      environment: { MIRROR: 'https://mirror.example', LEVEL: '3' },
      apps: [
        { slug: 'web', url: 'http://localhost:8080', healthcheck: { url: 'http://localhost:8080/health', interval: 5, threshold: 6 } },
      ],
      scripts: [{ script: 'echo "$BERTH_PARAM_PORT"' }],
    });
    expect(ProvisionedResource.parse(resource)).toEqual(resource);
    expect(parameterEnvironment(yaml, buildScope(yaml, job))).toEqual({ BERTH_PARAM_PORT: '8080', BERTH_PARAM_PROJECT_NAME: 'app' });
  });

  it('keep a value as it is: neither an expression nor YAML in it is read', () => {
    const value = '${{ variables.mirror }}\n- "x": $(id)';
    const job = buildJob({ rich_parameter_values: [{ name: 'project-name', value }] });
    expect(toResources(yaml, buildScope(yaml, job)).resources[0]?.agents[0]?.directory).toBe(`~/${value}`);
  });

  it.each(['80@example.com', '1/../..', '80#', 'x'])('cannot be led out of the workspace by the value %s in an address', (value) => {
    const job = buildJob({ rich_parameter_values: [{ name: 'port', value }] });
    const { resources, broken } = toResources(yaml, buildScope(yaml, job));
    const url = resources[0]?.agents[0]?.apps[0]?.url ?? '';
    expect(broken.length > 0 || new URL(url).hostname === 'localhost').toBe(true);
  });

  it('of an import show defaults and examples', () => {
    const { resources, broken } = toResources(yaml, importScope(yaml, [{ name: 'mirror', value: 'https://own.example' }]));
    expect(broken).toEqual([]);
    expect(resources[0]?.metadata[0]?.value).toBe('owner/workspace');
    expect(resources[0]?.agents[0]?.environment['MIRROR']).toBe('https://own.example');
  });
});

it('a reference without a value is an error, not an empty text', () => {
  expect(() => interpolate('${{ workspace.id }}', new Map())).toThrow('${{ workspace.id }} has no value.');
  expect(interpolate('${{workspace.id}}', new Map([['workspace.id', NIL_UUID]]))).toBe(NIL_UUID);
});
