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

export const GROUPS = [
  { name: 'platform', display_name: 'Platform', quota_allowance: 40 },
  { name: 'web', display_name: 'Web', quota_allowance: 30 },
  { name: 'data', display_name: 'Data', quota_allowance: 30 },
  { name: 'contractors', display_name: 'Contractors', quota_allowance: 10 },
] as const;

/** The starter templates that every host can build; the others want a container engine or Terraform. */
export const STARTERS = ['shell', 'node-web', 'python'] as const;

export interface PlannedWorkspace {
  readonly owner: string;
  readonly name: string;
  /** The starter template's name. */
  readonly template: (typeof STARTERS)[number];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly state: 'running' | 'stopped';
  /** When it starts by itself, and for how many hours it then runs. */
  readonly schedule?: { readonly autostart: string; readonly hours: number };
}

/** At most four run, so that a laptop is not kept busy. Workspaces share the ports of their machine, so web projects differ in theirs. */
export const WORKSPACES: readonly PlannedWorkspace[] = [
  { owner: 'amara', name: 'api', template: 'shell', state: 'running' },
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
];

export const OAUTH2_APP = { name: 'grafana', callback_url: 'https://grafana.example.com/login/generic_oauth' } as const;
export const PROXY = { name: 'frankfurt', display_name: 'Frankfurt' } as const;
export const TOKENS = ['ci', 'laptop'] as const;
const DAY_NANOSECONDS = 86_400_000_000_000;
export const TOKEN_LIFETIME_NANOSECONDS = 30 * DAY_NANOSECONDS;

export const EMAIL_DOMAIN = 'example.com';
export const ORGANIZATION = 'default';
