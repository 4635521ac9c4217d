import type { HealthCode, HealthSection, HealthSeverity } from '@berth/domain';
import type { Outputs } from '../../api/trpc.ts';

export type Report = Outputs['health']['get'];

/** What to do about a finding, in one or two sentences. */
const ADVICE: Readonly<Record<HealthCode, string>> = {
  EUNKNOWN: 'The log of the server says more.',
  EWP01: 'Look at the log of the server and at its database.',
  EWP02: 'Check the settings of the proxies.',
  EWP04: 'See whether the proxy runs and reaches this server, or delete it where it is no longer needed.',
  EDB01: 'See whether PostgreSQL runs and BERTH_DATABASE_URL leads to it.',
  EDB02: 'Put the database nearer to the server, or give it more memory and faster disks.',
  EDB03: 'Free disk space for PostgreSQL, or end its read-only mode. Nothing can be saved until then.',
  EDISK01: 'Free some space, or enlarge the disk, before it is full.',
  EDISK02: 'Free some space, or enlarge the disk. Until then sign-in, builds and everything else that saves data may fail.',
  EWS01: 'Let the proxy in front of the server pass WebSockets: the headers Connection and Upgrade.',
  EWS02: 'Raise the time after which the proxy in front of the server closes quiet connections.',
  EWS03: 'Point BERTH_ACCESS_URL and its name in the DNS at this deployment.',
  EACS01: 'Set BERTH_ACCESS_URL to the address under which people reach the server.',
  EACS02: 'Set BERTH_ACCESS_URL to an http or https address.',
  EACS03: 'See whether the name of BERTH_ACCESS_URL resolves on the server, and whether a firewall is between.',
  EACS04: 'Something else answers there, or the proxy in front does not reach the server: point it here.',
  EDERP01: 'Berth has no such relays.',
  EDERP02: 'Berth has no such relays.',
  EPD01:
    'Start a provisioner that can run these templates. For the built-in one, set BERTH_PROVISIONER_DAEMONS to 1 and restart the server.',
  EPD02: 'Update the daemon to the version of the server; until then it may refuse new work.',
  EPD03: 'Update the daemon: this server does not speak its protocol.',
};

export function adviceFor(code: string): string {
  const known = Object.entries(ADVICE).find(([name]) => name === code);
  return known?.[1] ?? ADVICE.EUNKNOWN;
}

/** An error begins with its code: `EACS03: cannot be reached`. */
export function errorParts(error: string): { readonly code: string; readonly message: string } {
  const [, code, message] = /^(E[A-Z]+\d*): ([\s\S]*)$/.exec(error) ?? [];
  return { code: code ?? 'EUNKNOWN', message: message ?? error };
}

export interface Finding {
  readonly code: string;
  readonly message: string;
  readonly isError: boolean;
  /** Which daemon or proxy it is about; empty for the section. */
  readonly about: string;
}

export interface SectionView {
  readonly section: HealthSection;
  readonly title: string;
  /** What is looked at. */
  readonly meaning: string;
  readonly severity: HealthSeverity;
  readonly isDismissed: boolean;
  readonly findings: readonly Finding[];
  /** What was seen, whether well or not. */
  readonly facts: readonly (readonly [name: string, value: string])[];
}

interface Checked {
  readonly severity: HealthSeverity;
  readonly dismissed: boolean;
  readonly error: string;
  readonly warnings: readonly { readonly code: string; readonly message: string }[];
}

function view(section: HealthSection, title: string, meaning: string, checked: Checked, facts: SectionView['facts']): SectionView {
  const warnings = checked.warnings.map((warning) => ({ ...warning, isError: false, about: '' }));
  const errors = checked.error === '' ? [] : [{ ...errorParts(checked.error), isError: true, about: '' }];
  return { section, title, meaning, severity: checked.severity, isDismissed: checked.dismissed, findings: [...errors, ...warnings], facts };
}

function gibibytes(bytes: number): string {
  return `${(bytes / 2 ** 30).toFixed(1)} GiB`;
}

/** The report as the page shows it. */
export function sectionsOf(report: Report): SectionView[] {
  const { access_url: access, websocket, database, provisioner_daemons: daemons, workspace_proxy: proxies, derp } = report;
  const regions = proxies.workspace_proxies.regions;
  const provisioners = view(
    'ProvisionerDaemons',
    'Provisioners',
    'Whether daemons are there that import templates and build workspaces, and whether they fit this version.',
    daemons,
    [['Daemons', String(daemons.items.length)]],
  );
  const ofDaemons = daemons.items.flatMap(({ provisioner_daemon: daemon, warnings }) =>
    warnings.map((warning) => ({ ...warning, isError: false, about: daemon.name })),
  );
  return [
    view('AccessURL', 'Access URL', 'Whether the address that people and agents use leads to this server.', access, [
      ['Address', access.access_url],
      ['Answer', access.reachable ? String(access.status_code) : 'none'],
    ]),
    view('Websocket', 'WebSockets', 'Whether terminals, live pages and agents get through by that address.', websocket, [
      ['Answer', websocket.code === 0 ? 'none' : String(websocket.code)],
    ]),
    view('Database', 'Database', 'Whether PostgreSQL answers, and how fast.', database, [
      ['Round trip', !database.reachable ? 'none' : database.latency_ms < 1 ? 'under 1 ms' : `${database.latency_ms} ms`],
      ['A warning from', `${database.threshold_ms} ms`],
    ]),
    view('Disk', 'Disk space', 'Whether the disk of the data folder has space left.', report.disk, [
      ['Folder', report.disk.folder],
      ['Free', `${gibibytes(report.disk.free_bytes)} of ${gibibytes(report.disk.total_bytes)}`],
      ['Warns below', gibibytes(report.disk.warning_bytes)],
    ]),
    { ...provisioners, findings: [...provisioners.findings, ...ofDaemons] },
    view('WorkspaceProxy', 'Workspace proxies', 'Whether the proxies in other regions answer.', proxies, [
      ['Proxies', regions.length <= 1 ? 'only the server itself' : String(regions.length - 1)],
    ]),
    view('DERP', 'Relays', 'Berth needs none: every connection goes through the server, by the tunnel that the agent dials.', derp, []),
  ];
}

export const SEVERITY_LOOKS = {
  ok: { label: 'Well', color: 'teal' },
  warning: { label: 'Warning', color: 'yellow' },
  error: { label: 'Broken', color: 'red' },
} as const satisfies Record<HealthSeverity, { label: string; color: string }>;

/** The deployment in a sentence: dismissed sections do not count. */
export function verdict(sections: readonly SectionView[]): { readonly severity: HealthSeverity; readonly sentence: string } {
  const told = sections.filter(({ isDismissed }) => !isDismissed);
  const names = (severity: HealthSeverity): string =>
    told
      .filter((section) => section.severity === severity)
      .map(({ title }) => title)
      .join(', ');
  const [broken, warned] = [names('error'), names('warning')];
  if (broken !== '') return { severity: 'error', sentence: `Broken: ${broken}.` };
  if (warned !== '') return { severity: 'warning', sentence: `It works, and something is worth a look: ${warned}.` };
  return { severity: 'ok', sentence: 'Everything that is checked is well.' };
}

/** The sections that nobody wants to be told of, with one more or one less. */
export function toggled(sections: readonly SectionView[], section: HealthSection): HealthSection[] {
  return sections.filter((one) => one.isDismissed !== (one.section === section)).map((one) => one.section);
}
