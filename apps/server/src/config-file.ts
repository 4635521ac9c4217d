import { readFileSync } from 'node:fs';
import { ExternalAuthSettings, SignOnSettings } from '@berth/api/server';
import { secretText } from '@berth/core';
import { parse } from 'yaml';
import { z } from 'zod';

/** What is too long for the environment: BERTH_CONFIG_FILE names a YAML file of this shape. */
const ConfigFile = z.strictObject({
  sign_on: SignOnSettings.prefault({}),
  external_auth: ExternalAuthSettings,
  scim: z.strictObject({ token: secretText(z.string().min(16, 'must have at least 16 characters')) }).optional(),
  mail: z.strictObject({ smtp_url: secretText(z.url({ protocol: /^smtps?$/ })), from: z.string().min(3) }).optional(),
});
export type ConfigFile = z.output<typeof ConfigFile>;

/**
 * Reads the settings file, or what holds without one. `${NAME}` in a text stands for that environment variable, so that secrets
 * need not be in the file. Returns the file and the variables that it uses, or the broken settings, one line each, when there are any.
 */
export function readConfigFile(
  path: string | null,
  env: NodeJS.ProcessEnv,
): { file: ConfigFile; variables: readonly string[] } | { problems: string[] } {
  let content: unknown = {};
  if (path !== null) {
    try {
      content = parse(readFileSync(path, 'utf8')) ?? {};
    } catch (error) {
      return { problems: [`BERTH_CONFIG_FILE ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`] };
    }
  }
  const unset: string[] = [];
  const variables: string[] = [];
  const filled = withVariables(content, (name) => {
    const value = env[name];
    variables.push(name);
    if (value === undefined) unset.push(`BERTH_CONFIG_FILE ${path} uses \${${name}}, which is not set`);
    return value ?? '';
  });
  if (unset.length > 0) return { problems: unset };
  const parsed = ConfigFile.safeParse(filled);
  if (parsed.success) return { file: parsed.data, variables };
  return { problems: parsed.error.issues.map((issue) => `${path}: ${issue.path.join('.') || 'the file'} ${issue.message}`) };
}

function withVariables(value: unknown, lookUp: (name: string) => string): unknown {
  if (typeof value === 'string') return value.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => lookUp(name));
  if (Array.isArray(value)) return value.map((item) => withVariables(item, lookUp));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withVariables(item, lookUp)]));
}
