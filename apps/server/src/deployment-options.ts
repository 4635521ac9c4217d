import type { DeploymentSetting } from '@berth/api/server';
import type { ConfigFile } from './config-file.ts';
import type { SettingFacts } from './settings-table.ts';
import { SETTINGS } from './settings-table.ts';

/** Each setting with its value and where that comes from, as administrators may read it: nothing of a secret. */
export function deploymentOptions(env: NodeJS.ProcessEnv, file: ConfigFile): DeploymentSetting[] {
  const ofFile = valuesOf(file);
  return SETTINGS.map((facts) => {
    const ofEnv = facts.env === '' ? '' : (env[facts.env] ?? '');
    const written = facts.yaml === undefined ? '' : (ofFile[facts.yaml] ?? '');
    const source = ofEnv !== '' ? 'env' : written.length > 0 ? 'yaml' : 'default';
    const text = ofEnv !== '' ? ofEnv : written.length > 0 ? written : (facts.default ?? '');
    return {
      env: facts.env,
      name: facts.name,
      group: facts.group,
      description: facts.description,
      default: facts.default ?? facts.otherwise?.replaceAll('`', '') ?? '',
      isSecret: facts.isSecret === true,
      yaml: facts.yaml ?? '',
      source,
      value: facts.isSecret === true ? '' : typed(facts, text),
    };
  });
}

function typed({ isList, default: value }: SettingFacts, text: string | readonly string[]): DeploymentSetting['value'] {
  if (typeof text !== 'string') return text;
  if (isList === true) return text.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]));
  if (value !== undefined && /^\d+$/.test(value)) return Number(text);
  if ((value === 'true' || value === 'false') && /^(?:true|false)$/.test(text)) return text === 'true';
  return text;
}

/** What the settings file says, by the place in it; absent or empty where it says nothing beyond the default. */
function valuesOf({ sign_on, external_auth, scim, mail }: ConfigFile): Readonly<Record<string, string | readonly string[]>> {
  return {
    'sign_on.password_enabled': sign_on.password_enabled ? '' : 'false',
    'sign_on.providers': sign_on.providers.map(({ id }) => id),
    'sign_on.terms_of_service_url': sign_on.terms_of_service_url,
    external_auth: external_auth.map(({ id }) => id),
    // Whether they are set, and no more.
    'scim.token': scim === undefined ? '' : 'set',
    'mail.smtp_url': mail === undefined ? '' : 'set',
    'mail.from': mail?.from ?? '',
  };
}
