import type { Template } from '@berth/api/contract/templates';
import { errorOf } from '@berth/client';
import { autostartProblem, nameProblem, randomName } from '@berth/domain';
import type { Cli } from '../frame/cli.ts';
import { choice, defineCommand, duration, optional, parsed, text } from '../frame/declare.ts';
import { conflictError, notFoundError, usageError } from '../frame/errors.ts';
import { parseWorkspaceRef, refOf } from '../frame/workspace-ref.ts';
import { followToEnd, refreshed, START_WAIT_OPTIONS } from '../workspaces/build-workspace.ts';
import { gatherParameters, PARAMETER_OPTIONS } from '../workspaces/parameters.ts';

export const create = defineCommand({
  name: 'create',
  summary: 'Create a workspace',
  description:
    'Creates a workspace from a template and waits until it runs and its start scripts have ended; when one fails, the exit code is 1. Asks for the template, the name and the parameters that are not given.',
  args: { workspace: optional('[owner/]name of the new workspace; two random words unless given') },
  options: {
    template: text('-t, --template <name>', 'The template', { complete: 'template' }),
    version: text('--version <name>', 'A version of the template; its active one unless given', { isName: true }),
    organization: text('--organization <name>', 'The organization of the template', { complete: 'organization' }),
    ...PARAMETER_OPTIONS,
    autostart: parsed('--autostart <schedule>', 'When it starts automatically, such as "CRON_TZ=Europe/Lisbon 0 9 * * 1-5"', cronText),
    stopAfter: duration('--stop-after <time>', 'How long after a start it stops automatically, such as 8h'),
    automaticUpdates: choice('--automatic-updates <when>', 'Whether autostart updates it to the active version', ['always', 'never']),
    ...START_WAIT_OPTIONS,
  },
  fields: {
    name: '<workspace>',
    ttl_ms: '--stop-after',
    schedule: '--autostart',
    autostart_schedule: '--autostart',
    template_id: '--template',
    template_version_id: '--version',
    rich_parameter_values: '--parameter',
  },
  examples: [
    'berth create',
    'berth create dev --template node',
    'berth create dev -t node -p region=eu -p cpus=4 --stop-after 8h',
    'berth create dev -t node --parameter-file parameters.yaml --yes --no-wait -o json',
  ],
  prints: true,
  async run(cli, { args, options }) {
    const { client } = cli.session();
    const template = await chooseTemplate(cli, options);
    const { owner, name } = await chooseName(cli, args.workspace, options.yes);
    const versionId = options.version === undefined ? template.active_version_id : await versionOf(cli, template, options.version);
    await requireAccounts(cli, versionId);
    const parameters = await gatherParameters(cli, options, { versionId, previous: [] });
    const made = await client.workspaces.createInOrganization
      .mutate({
        organization: template.organization_id,
        user: owner,
        name,
        ...(options.version === undefined ? { template_id: template.id } : { template_version_id: versionId }),
        rich_parameter_values: [...parameters],
        ...(options.autostart === undefined ? {} : { autostart_schedule: options.autostart }),
        ...(options.stopAfter === undefined ? {} : { ttl_ms: options.stopAfter }),
        ...(options.automaticUpdates === undefined ? {} : { automatic_updates: options.automaticUpdates }),
      })
      .catch((error: unknown) => {
        throw withoutOwner(error, owner, template);
      });
    if (options.noWait) {
      await cli.out.done(`The workspace ${refOf(made)} is starting. See: berth logs ${owner === 'me' ? name : refOf(made)} --follow`, made);
      return;
    }
    await followToEnd(cli, made.latest_build);
    await cli.out.done(`The workspace ${refOf(made)} is running.`, await refreshed(cli, made));
    cli.out.note(`Next: berth ssh ${owner === 'me' ? name : refOf(made)}`);
  },
});

/** The template is known to be there, so what was not found is the owner. */
function withoutOwner(cause: unknown, owner: string, { organization_name }: Template): unknown {
  if (errorOf(cause).kind !== 'not_found') return cause;
  return notFoundError(
    owner === 'me'
      ? `You are not a member of the organization ${organization_name}.`
      : `There is no user "${owner}" in the organization ${organization_name} that you may see.`,
    { cause },
  );
}

function cronText(given: string): string {
  const problem = autostartProblem(given);
  if (problem !== null) throw new Error(problem);
  return given;
}

interface TemplateChoice {
  readonly template: string | undefined;
  readonly organization: string | undefined;
}

async function chooseTemplate(cli: Cli, { template: name, organization }: TemplateChoice): Promise<Template> {
  const { client } = cli.session();
  const all =
    organization === undefined
      ? await client.templates.list.query({ q: 'deprecated:false' })
      : await client.templates.listByOrganization.query({ organization, q: 'deprecated:false' });
  if (all.length === 0) {
    throw notFoundError('There are no templates that you may use.', {
      next: 'Push one with `berth templates push`, or ask an administrator.',
    });
  }
  if (name !== undefined) return templateNamed(all, name);
  const chosen = await cli.ask.choose({
    message: 'Template',
    flag: '--template <name>',
    choices: all.map((one) => ({ value: templateRef(one, all), name: templateLabel(one, all), description: one.description })),
  });
  return templateNamed(all, chosen);
}

/** Its name, with that of the organization where two have one of that name. */
function templateRef({ name, organization_name }: Template, all: readonly Template[]): string {
  return all.filter((one) => one.name === name).length === 1 ? name : `${organization_name}/${name}`;
}

/** By `name`, or by `organization/name` where two organizations have one of that name. */
function templateNamed(all: readonly Template[], given: string): Template {
  const [first = '', second] = given.split('/');
  const found = all.filter((one) => (second === undefined ? one.name === first : one.organization_name === first && one.name === second));
  const [only] = found;
  if (only === undefined) {
    throw notFoundError(`There is no template "${given}" that you may use.`, {
      next: `Templates: ${all.map((one) => templateRef(one, all)).join(', ')}`,
    });
  }
  if (found.length > 1) {
    throw usageError(`Several organizations have a template "${given}".`, {
      next: `Use one of: ${found.map((one) => templateRef(one, all)).join(', ')}`,
    });
  }
  return only;
}

function templateLabel(one: Template, all: readonly Template[]): string {
  const label = one.display_name === '' ? one.name : `${one.display_name} (${one.name})`;
  return all.some(({ organization_id }) => organization_id !== one.organization_id) ? `${one.organization_name}/${label}` : label;
}

async function versionOf(cli: Cli, template: Template, name: string): Promise<string> {
  const version = await cli.session().client.templateVersions.getByNames.query({
    organization: template.organization_id,
    templatename: template.name,
    templateversionname: name,
  });
  return version.id;
}

async function chooseName(cli: Cli, given: string | undefined, isSure: boolean): Promise<{ owner: string; name: string }> {
  const ref = given === undefined ? null : parseWorkspaceRef(given);
  if (ref?.agent !== undefined && ref.agent !== null) throw usageError('The name of a workspace must not contain a dot.');
  const standard = randomName(Math.random);
  const ask = (): Promise<string> => {
    if (isSure) return Promise.resolve(standard);
    return cli.ask.text({ message: 'Name', flag: '<workspace>', standard, validate: (answer) => nameProblem('name', answer) });
  };
  const name = ref?.name ?? (await ask());
  const problem = nameProblem('name', name);
  if (problem !== null) throw usageError('Invalid workspace name.', { problems: [{ field: 'name', detail: problem }] });
  return { owner: ref?.owner ?? 'me', name };
}

/** A template may need the person's account at another service: better said before the build than by its failure. */
async function requireAccounts(cli: Cli, versionId: string): Promise<void> {
  const services = await cli.session().client.templateVersions.externalAuth.query({ templateversion: versionId });
  const missing = services.filter(({ authenticated, optional: isOptional }) => !authenticated && !isOptional);
  const [first] = missing;
  if (first === undefined) return;
  throw conflictError(`The template needs access to your account at ${missing.map(({ display_name }) => display_name).join(' and ')}.`, {
    next: `Link it at ${first.authenticate_url} and try again.`,
  });
}
