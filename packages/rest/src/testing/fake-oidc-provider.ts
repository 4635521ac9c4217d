import { createHash, createSign, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { newId } from '@berth/core';
import { afterAll } from 'vitest';

type Json = Record<string, unknown>;

/** What the provider does for the next person; each part may be a lie. */
export interface FakeAnswer {
  readonly claims?: Json;
  readonly userInfo?: Json;
  /** Over the claims of the ID token, after all that is true. */
  readonly forged?: Json;
  readonly isSignedByOther?: boolean;
  /** What comes back to the browser beside the code. */
  readonly callback?: Record<string, string>;
  readonly tokenError?: { readonly status: number; readonly error: string };
  readonly expiresIn?: number;
}

export interface FakeOidcProvider {
  readonly issuer: string;
  /** For the next sign-in, and for refreshes. */
  answer: FakeAnswer;
  /** Requests that the server under test made, by path. */
  readonly asked: string[];
  /** False: connections are cut off. */
  isUp: boolean;
  /** Runs before the next answer of the token endpoint. */
  beforeAnswer: (() => Promise<void>) | null;
}

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** An OpenID Connect provider that says whatever a test wants, true or forged. It signs everybody in at once. */
export async function startFakeOidcProvider(): Promise<FakeOidcProvider> {
  const [own, other] = [keys(), keys()];
  const published = own.publicKey.export({ format: 'jwk' });
  const pending = new Map<string, { readonly nonce: string; readonly challenge: string }>();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: FakeOidcProvider = { issuer, answer: {}, asked: [], isUp: true, beforeAnswer: null };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!provider.isUp) return void request.socket.destroy();
    const url = new URL(request.url ?? '/', issuer);
    provider.asked.push(url.pathname);
    const json = (value: unknown, status = 200): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (url.pathname === '/.well-known/openid-configuration') return json(discovery(issuer));
    if (url.pathname === '/jwks') return json({ keys: [{ ...published, kid: 'own', alg: 'RS256', use: 'sig' }] });
    if (url.pathname === '/userinfo') return json({ sub: provider.answer.claims?.['sub'], ...provider.answer.userInfo });
    if (url.pathname === '/auth') {
      const code = newId();
      pending.set(code, { nonce: url.searchParams.get('nonce') ?? '', challenge: url.searchParams.get('code_challenge') ?? '' });
      const back = new URL(url.searchParams.get('redirect_uri') ?? '');
      const state = url.searchParams.get('state') ?? '';
      for (const [name, value] of Object.entries({ code, state, ...provider.answer.callback })) back.searchParams.set(name, value);
      return void response.writeHead(302, { location: back.href }).end();
    }
    const form = new URLSearchParams(await text(request));
    await provider.beforeAnswer?.();
    const { tokenError } = provider.answer;
    if (tokenError !== undefined) return json({ error: tokenError.error }, tokenError.status);
    const known = pending.get(form.get('code') ?? '');
    const isRefresh = form.get('grant_type') === 'refresh_token';
    pending.delete(form.get('code') ?? '');
    if (!isRefresh && known === undefined) return json({ error: 'invalid_grant' }, 400);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!isRefresh && challenge !== known?.challenge) return json({ error: 'invalid_grant' }, 400);
    const { claims, forged, isSignedByOther, expiresIn = 300 } = provider.answer;
    const now = Math.floor(Date.now() / 1000);
    const idToken = { iss: issuer, aud: 'berth', iat: now, exp: now + 300, nonce: known?.nonce, ...claims, ...forged };
    const signed = sign(idToken, isSignedByOther === true ? other.privateKey : own.privateKey);
    return json({
      access_token: newId(),
      token_type: 'Bearer',
      expires_in: expiresIn,
      refresh_token: newId(),
      ...(isRefresh ? {} : { id_token: signed }),
    });
  };
  return provider;
}

function discovery(issuer: string): Json {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/userinfo`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}

function sign(claims: Json, key: KeyObject): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${part({ alg: 'RS256', kid: 'own' })}.${part(claims)}`;
  return `${body}.${createSign('RSA-SHA256').update(body).sign(key, 'base64url')}`;
}
