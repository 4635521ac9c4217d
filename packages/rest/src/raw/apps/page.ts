import { createHash } from 'node:crypto';
import type { AppRefusalReason, Services } from '@berth/api/server';
import { AppRefusal, reportOf } from '@berth/api/server';
import type { Visit } from './visit.ts';

/** What a visitor is told: the status, a heading, and what to do about it. */
interface Told {
  readonly status: number;
  readonly heading: string;
  readonly advice: string;
  /** Whether the page asks again by itself, since it will soon be over. */
  readonly comesBack?: boolean;
}

const TOLD: Readonly<Record<AppRefusalReason, Told>> = {
  bad_host: { status: 400, heading: 'This address names no app', advice: 'Open the app from its workspace in the dashboard.' },
  not_found: {
    status: 404,
    heading: 'There is no such app',
    advice: 'Or you do not have access to it. Ask the owner of the workspace, or look for it in the dashboard.',
  },
  not_signed_in: { status: 401, heading: 'Sign in to open this app', advice: 'Sign in to the dashboard, then open the app again.' },
  foreign_page: { status: 403, heading: 'Another page asked for this', advice: 'Open the app itself, and do it there.' },
  path_apps_off: {
    status: 403,
    heading: 'Apps below a path are off',
    advice: 'Whoever runs this deployment has turned them off. An app can have a host of its own instead: subdomain: true in its template.',
  },
  bad_address: {
    status: 502,
    heading: 'The app has no address',
    advice: 'The url of an app in a template must be http://localhost or https://localhost, with a port.',
  },
  system_port: {
    status: 400,
    heading: 'This port cannot be opened',
    advice: 'Ports below 9 are the system’s. Let the program listen on another one.',
  },
  stopped: { status: 400, heading: 'The workspace is stopped', advice: 'Start it, then open the app again.' },
  starting: { status: 503, heading: 'The workspace is being started', advice: 'This page tries again by itself.', comesBack: true },
  agent_away: {
    status: 502,
    heading: 'The workspace is not connected',
    advice: 'Its agent is not there now. This page tries again by itself; if that does not help, restart the workspace.',
    comesBack: true,
  },
  no_answer: {
    status: 502,
    heading: 'The app does not answer',
    advice: 'Look in the workspace whether the program runs, and listens on this port.',
  },
  sign_in_failed: {
    status: 400,
    heading: 'You could not be signed in here',
    advice: 'The sign-in was used before, is too old, or your browser keeps no cookies for this site. Try again.',
  },
  bad_request: { status: 400, heading: 'The request cannot be passed on', advice: 'It is not one that a browser would send.' },
};

const COMES_BACK_SECONDS = 5;
const STYLE = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}body{display:grid;min-height:100vh;margin:0;place-items:center}main{max-width:32rem;padding:1.5rem}h1{font-size:1.4rem}a{color:inherit}small{opacity:.7}`;
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
    link: linkOf(services, refusal),
  });
  return { status, headers: { ...headers, 'content-type': 'text/html; charset=utf-8' }, body: page };
}

function linkOf({ settings }: Services, refusal: AppRefusal | null): { readonly href: string; readonly text: string } {
  if (refusal?.reason === 'sign_in_failed') return { href: '?', text: 'Try again' };
  const [owner, name] = refusal?.workspace?.split('/') ?? [];
  if (owner === undefined || name === undefined) return { href: settings.accessUrl, text: 'To the dashboard' };
  return { href: `${settings.accessUrl}/@${encodeURIComponent(owner)}/${encodeURIComponent(name)}`, text: `To the workspace ${name}` };
}

interface Page {
  readonly heading: string;
  readonly advice: string;
  readonly detail: string;
  readonly link: { readonly href: string; readonly text: string };
}

function pageText({ heading, advice, detail, link }: Page): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(heading)}</title><style>${STYLE}</style></head>
<body><main><h1>${escapeHtml(heading)}</h1><p>${escapeHtml(advice)}</p>${detail === '' ? '' : `<p><small>${escapeHtml(detail)}</small></p>`}<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.text)}</a></p></main></body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
