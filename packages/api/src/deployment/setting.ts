export const SETTING_GROUPS = [
  'Network',
  'Workspace apps',
  'Storage',
  'Provisioners',
  'Sign-in',
  'Workspaces',
  'Mail',
  'Appearance',
  'Observability',
] as const;
export type SettingGroup = (typeof SETTING_GROUPS)[number];

/** Where the value of a setting comes from: the environment, the settings file, or the server itself. */
export type SettingSource = 'env' | 'yaml' | 'default';

/** A setting of the process, as administrators may read it: never the value of a secret. */
export interface DeploymentSetting {
  readonly env: string;
  readonly name: string;
  readonly group: SettingGroup;
  /** What it does, in a sentence or two of Markdown. */
  readonly description: string;
  /** What holds without it, in words. */
  readonly default: string;
  readonly isSecret: boolean;
  /** Its place in the settings file; empty: only the environment has it. */
  readonly yaml: string;
  readonly source: SettingSource;
  /** As it was read; empty where none was made, and for every secret. */
  readonly value: string | number | boolean | readonly string[];
}
