import { createHash } from 'node:crypto';
import type { AppRefusalReason, Services } from '@berth/api/server';
import { AppRefusal, reportOf } from '@berth/api/server';
import type { Visit } from './visit.ts';

/** What a visitor sees: the status, a heading, and what to do about it. */
interface Told {
  readonly status: number;
  readonly heading: string;
  readonly advice: string;
  /** Whether the page reloads automatically, since the state is temporary. */
  readonly comesBack?: boolean;
}

const TOLD: Readonly<Record<AppRefusalReason, Told>> = {
  bad_host: { status: 400, heading: 'This address does not belong to an app', advice: 'Open the app from its workspace in the dashboard.' },
  not_found: {
    status: 404,
    heading: 'App not found',
    advice: 'The app does not exist, or you do not have access to it. Ask the owner of the workspace, or look for it in the dashboard.',
  },
  not_signed_in: { status: 401, heading: 'Sign in to open this app', advice: 'Sign in to the dashboard, then open the app again.' },
  foreign_page: { status: 403, heading: 'Another page asked for this', advice: 'Open the app itself, and do it there.' },
  path_apps_off: {
    status: 403,
    heading: 'Path-based apps are turned off',
    advice: 'An administrator turned them off for this deployment. Set subdomain: true in the template to give the app its own host.',
  },
  bad_address: {
    status: 502,
    heading: 'The app has no address',
    advice: 'The url of an app in a template must be http://localhost or https://localhost, with a port.',
  },
  system_port: {
    status: 400,
    heading: 'This port cannot be opened',
    advice: 'Ports below 9 are reserved. Make the program listen on another port.',
  },
  stopped: { status: 400, heading: 'The workspace is stopped', advice: 'Start it, then open the app again.' },
  starting: { status: 503, heading: 'The workspace is starting', advice: 'This page reloads automatically.', comesBack: true },
  agent_away: {
    status: 502,
    heading: 'The workspace is not connected',
    advice: 'Its agent is disconnected. This page reloads automatically. If that does not help, restart the workspace.',
    comesBack: true,
  },
  not_confirmed: {
    status: 503,
    heading: 'The app of this workspace does not answer',
    advice:
      'It is still starting, or another workspace on the same machine uses its port. See the log of the start script; if the port is taken, choose another one in the settings of the workspace. This page reloads automatically.',
    comesBack: true,
  },
  no_answer: {
    status: 502,
    heading: 'The app does not answer',
    advice: 'Check in the workspace that the program is running and listens on this port.',
  },
  sign_in_failed: {
    status: 400,
    heading: 'You could not be signed in here',
    advice: 'The sign-in was used before, is too old, or your browser keeps no cookies for this site. Try again.',
  },
  bad_request: { status: 400, heading: 'The request cannot be passed on', advice: 'It is not one that a browser would send.' },
};

const COMES_BACK_SECONDS = 5;
const STYLE = `
:root{color-scheme:light dark;font:1rem/1.5 system-ui,-apple-system,'Segoe UI',sans-serif;--page:#f9fafb;--card:#fff;--line:#dee2e6;--text:#1a2128;--dimmed:#54606b;--accent:#0e6a7e}
@media (prefers-color-scheme:dark){:root{--page:#14191f;--card:#1a2027;--line:#313a45;--text:#d3d9e0;--dimmed:#aeb7c1;--accent:#187c92}}
body{box-sizing:border-box;display:grid;min-height:100vh;margin:0;padding:1rem;place-items:center;background:var(--page);color:var(--text)}
main{box-sizing:border-box;width:100%;max-width:30rem;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem;overflow-wrap:anywhere}
svg{display:block;width:2.25rem;height:2.25rem}
h1{margin:1rem 0 .5rem;font-size:1.4rem;line-height:1.3}
p{margin:0 0 .75rem;color:var(--dimmed)}
small{font-size:.875rem}
nav{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
a{padding:.5rem 1rem;border:1px solid var(--line);border-radius:.5rem;color:var(--text);font-weight:600;text-decoration:none}
a.main{background:var(--accent);border-color:var(--accent);color:#fff}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;
const LOGO = `<svg viewBox="0 0 32 32" role="img" aria-label="Berth"><rect width="32" height="32" rx="8" fill="#0b7285"/><path d="M16 6.5v15M11.5 11h9M7 18c1 5 5 7.5 9 7.5S24 23 25 18" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`;

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A failure as its visitor sees it: a small page for browsers, JSON for everything else. What nobody expected says nothing of its cause. */
export function refusalAnswer(services: Services, error: unknown, { id, message }: Pick<Visit, 'id' | 'message'>): Answer {
  const report = reportOf(error);
  if (report.kind === 'internal') services.log.error({ err: error, request_id: id }, 'an app could not be reached');
  const refusal = error instanceof AppRefusal ? error : null;
  const told = refusal === null ? null : TOLD[refusal.reason];
  const status = told?.status ?? report.status;
  const headers = {
    'x-request-id': id,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'content-security-policy': POLICY,
    ...(told?.comesBack === true ? { refresh: String(COMES_BACK_SECONDS), 'retry-after': String(COMES_BACK_SECONDS) } : {}),
  };
  if (message.headers.accept?.includes('text/html') !== true) {
    const body = JSON.stringify({
      message: report.message,
      detail: report.detail || (told?.advice ?? ''),
      validations: report.validations,
    });
    return { status, headers: { ...headers, 'content-type': 'application/json; charset=utf-8' }, body };
  }
  const page = pageText({
    heading: told?.heading ?? report.message,
    advice: told?.advice ?? report.detail,
    detail: told === null ? '' : report.detail,
    links: linksOf(services, refusal),
  });
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: page };
}

interface Link {
  readonly href: string;
  readonly text: string;
}

/** The most helpful link first. None of them changes anything: to start a workspace, the dashboard asks its owner first. */
function linksOf({ settings }: Services, refusal: AppRefusal | null): readonly Link[] {
  if (refusal?.reason === 'sign_in_failed') return [{ href: '?', text: 'Try again' }];
  const [owner, name] = refusal?.workspace?.split('/') ?? [];
  if (owner === undefined || name === undefined) return [{ href: settings.accessUrl, text: 'Open the dashboard' }];
  const href = `${settings.accessUrl}/@${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const open = { href, text: `Open the workspace ${name}` };
  return refusal?.reason === 'stopped' && refusal.isOwner ? [{ href: `${href}?start=true`, text: `Start ${name}…` }, open] : [open];
}

interface Page {
  readonly heading: string;
  readonly advice: string;
  readonly detail: string;
  readonly links: readonly Link[];
}

function pageText({ heading, advice, detail, links }: Page): string {
  const anchors = links.map(
    ({ href, text }, at) => `<a${at === 0 ? ' class="main"' : ''} href="${escapeHtml(href)}">${escapeHtml(text)}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(heading)}</title><style>${STYLE}</style></head>
<body><main>${LOGO}<h1>${escapeHtml(heading)}</h1><p>${escapeHtml(advice)}</p>${detail === '' ? '' : `<p><small>${escapeHtml(detail)}</small></p>`}<nav>${anchors.join('')}</nav></main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
