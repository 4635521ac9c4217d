/** Who and what the organization consists of. Nothing here is random, so a second run finds it all. */

export interface Person {
  readonly username: string;
  readonly name: string;
}

export const PEOPLE: readonly Person[] = [
  { username: 'amara', name: 'Amara Okafor' },
  { username: 'ben', name: 'Ben Lindqvist' },
  { username: 'chiara', name: 'Chiara Romano' },
  { username: 'dmitri', name: 'Dmitri Volkov' },
  { username: 'elif', name: 'Elif Yıldız' },
  { username: 'felix', name: 'Félix Moreau' },
  { username: 'grace', name: 'Grace Nakamura' },
  { username: 'hannah', name: 'Hannah Weiss' },
  { username: 'imran', name: 'Imran Qureshi' },
  { username: 'joana', name: 'Joana Ferreira' },
  { username: 'kwame', name: 'Kwame Mensah' },
  { username: 'lucia', name: 'Lucía Herrera' },
];

export interface PlannedGroup {
  readonly name: string;
  readonly display_name: string;
  readonly quota_allowance: number;
  readonly members: readonly string[];
}

export const GROUPS: readonly PlannedGroup[] = [
  { name: 'platform', display_name: 'Platform', quota_allowance: 40, members: ['amara', 'ben', 'imran'] },
  { name: 'web', display_name: 'Web', quota_allowance: 30, members: ['chiara', 'elif', 'felix', 'hannah'] },
  { name: 'data', display_name: 'Data', quota_allowance: 30, members: ['dmitri', 'grace', 'lucia'] },
  { name: 'contractors', display_name: 'Contractors', quota_allowance: 10, members: ['joana', 'kwame'] },
];

/** The starter templates that every host can build; the others want a container engine or Terraform. */
export const STARTERS = ['shell', 'node-web', 'python'] as const;

export interface PlannedWorkspace {
  readonly owner: string;
  readonly name: string;
  /** The template's name. */
  readonly template: (typeof STARTERS)[number] | 'ml-training';
  readonly parameters?: Readonly<Record<string, string>>;
  /** What its latest build leads to: `failed` needs a value that the template cannot use. */
  readonly state: 'running' | 'stopped' | 'failed';
  /** How often it is stopped and started again at once, so that it has builds to look at. */
  readonly restarts?: number;
  /** When it starts by itself, and for how many hours it then runs. */
  readonly schedule?: { readonly autostart: string; readonly hours: number };
}

/** At most four run, so that a laptop is not kept busy. Workspaces share the ports of their machine, so web projects differ in theirs. */
export const WORKSPACES: readonly PlannedWorkspace[] = [
  { owner: 'amara', name: 'api', template: 'shell', state: 'running', restarts: 1 },
  {
    owner: 'chiara',
    name: 'shop-frontend',
    template: 'node-web',
    parameters: { project_name: 'shop', port: '18081', greeting: 'The shop opens in spring.' },
    state: 'running',
    schedule: { autostart: 'CRON_TZ=Europe/Rome 30 8 * * 1-5', hours: 10 },
  },
  { owner: 'grace', name: 'notebooks', template: 'shell', state: 'running' },
  { owner: 'ben', name: 'billing', template: 'shell', state: 'stopped' },
  {
    owner: 'elif',
    name: 'design-system',
    template: 'node-web',
    parameters: { project_name: 'design-system', port: '18082' },
    state: 'stopped',
  },
  { owner: 'imran', name: 'release-tools', template: 'shell', state: 'stopped' },
  { owner: 'dmitri', name: 'churn-model', template: 'ml-training', state: 'stopped' },
  { owner: 'kwame', name: 'image-classifier', template: 'ml-training', parameters: { dashboard_port: 'tensorboard' }, state: 'failed' },
];

export const OAUTH2_APP = { name: 'grafana', callback_url: 'https://grafana.example.com/login/generic_oauth' } as const;
export const TOKENS = ['ci', 'laptop'] as const;
const DAY_NANOSECONDS = 86_400_000_000_000;
export const TOKEN_LIFETIME_NANOSECONDS = 30 * DAY_NANOSECONDS;

export const EMAIL_DOMAIN = 'example.com';
export const ORGANIZATION = 'default';
