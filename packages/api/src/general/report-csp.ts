import type { Call } from '../kernel/procedures.ts';
import type { CspViolation } from './contract.ts';

const TEXT_MAX = 300;
/** What helps to find the cause. A sample of the script could be somebody's secret. */
const LOGGED = ['document-uri', 'effective-directive', 'violated-directive', 'blocked-uri', 'source-file', 'line-number', 'disposition'];

/** Logs what a browser kept a page of ours from. Anybody may say anything here, so little of it is kept. @throws rate_limited */
export async function reportCsp({ services, request }: Call, input: CspViolation): Promise<Record<string, never>> {
  await services.reportLimit.consume(request.ip);
  const facts: Record<string, string | number> = {};
  for (const name of LOGGED) {
    const value = input['csp-report'][name];
    if (typeof value === 'number') facts[name] = value;
    else if (typeof value === 'string' && value !== '') facts[name] = withoutQuery(value).slice(0, TEXT_MAX);
  }
  services.log.warn({ report: facts, request_id: request.requestId }, 'a browser kept a page from loading something');
  return {};
}

/** The query of an address may hold a credential. */
function withoutQuery(text: string): string {
  return text.replace(/[?#].*$/s, '');
}
