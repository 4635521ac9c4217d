import { describe, expect, it } from 'vitest';
import { isAppHost, parseAppHost, portPart, subdomainName } from './app-host.ts';
import { parseWildcardHost, wildcardHostProblem } from './wildcard-host.ts';

const place = { agent: 'main', workspace: 'dev-1', owner: 'Alice' };

function wildcard(text: string): NonNullable<ReturnType<typeof parseWildcardHost>> {
  const parsed = parseWildcardHost(text, '3000');
  if (parsed === null) throw new Error(`${text} is no wildcard host`);
  return parsed;
}

describe('a wildcard host', () => {
  it.each(['*.apps.example.com', '*--apps.example.com', '*.localhost', '*.apps.example.com:8443'])('may be %s', (text) => {
    expect(wildcardHostProblem(text)).toBeNull();
  });

  it.each([
    '',
    '*',
    'apps.example.com',
    'a*.example.com',
    '*.*.com',
    'https://*.example.com',
    '*.ex_ample.com',
    '*.example.com:x',
    '*..com',
    '*.example.com/x',
  ])('may not be "%s", and says why', (text) => {
    expect(wildcardHostProblem(text)).toMatch(/^must /);
    expect(parseWildcardHost(text)).toBeNull();
  });

  it('takes the port of the access URL where it names none', () => {
    expect(wildcard('*.apps.example.com').port).toBe(':3000');
    expect(wildcard('*.apps.example.com:8443').port).toBe(':8443');
    expect(parseWildcardHost('*.apps.example.com')?.port).toBe('');
  });
});

describe('the host of an app', () => {
  it('leads back to the app and its place, in lower case', () => {
    const name = subdomainName('Code', place);
    expect(name).toBe('code--main--dev-1--alice');
    const app = { owner: 'alice', workspace: 'dev-1', agent: 'main', target: { kind: 'app', slug: 'code' } };
    expect(parseAppHost(`${name}.apps.example.com`, wildcard('*.apps.example.com'))).toEqual(app);
    expect(parseAppHost(`${name}--apps.example.com:3000`.toUpperCase(), wildcard('*--apps.example.com'))).toEqual(app);
  });

  it('names a port, with an s for what speaks TLS', () => {
    const host = (port: string) => parseAppHost(`${subdomainName(port, place)}.localhost`, wildcard('*.localhost'))?.target;
    expect(host('8080')).toEqual({ kind: 'port', port: 8080, protocol: 'http' });
    expect(host(portPart({ port: 8443, protocol: 'https' }))).toEqual({ kind: 'port', port: 8443, protocol: 'https' });
    expect(host('0')).toBeUndefined();
    expect(host('65536')).toBeUndefined();
  });

  it('may have a prefix of the visitor before three hyphens', () => {
    const parsed = parseAppHost('pr-7---code--main--dev-1--alice.localhost', wildcard('*.localhost'));
    expect(parsed?.target).toEqual({ kind: 'app', slug: 'code' });
  });

  it.each([
    'code--main--dev.localhost',
    'a--b--c--d--e.localhost',
    'x.code--main--dev--alice.localhost',
    'code--ma_in--dev--alice.localhost',
    'localhost',
    'code--main--dev--alice.example.com',
  ])('is not %s', (host) => {
    expect(parseAppHost(host, wildcard('*.localhost'))).toBeNull();
  });

  it('is whatever lies under the wildcard, even where it names nothing', () => {
    for (const host of ['anything.localhost:3000', 'a.b.localhost', 'A.LOCALHOST.', '..localhost', 'a@b.localhost:']) {
      expect(isAppHost(host, wildcard('*.localhost')), host).toBe(true);
    }
    for (const host of ['localhost', 'notlocalhost', '.localhost', 'a.localhost.example.com']) {
      expect(isAppHost(host, wildcard('*.localhost')), host).toBe(false);
    }
    expect(isAppHost('b--apps.example.com', wildcard('*--apps.example.com'))).toBe(true);
    expect(isAppHost('apps.example.com', wildcard('*--apps.example.com'))).toBe(false);
  });

  it('is empty when the names do not fit into one label', () => {
    expect(subdomainName('code', { ...place, workspace: 'w'.repeat(60) })).toBe('');
    expect(subdomainName('under_score', place)).toBe('');
  });
});
