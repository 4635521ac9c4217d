import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';

export interface FakeRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
  /** The body as a form. */
  readonly form: URLSearchParams;
}

export interface FakeCodeHost {
  readonly url: string;
  /** Every request so far, in order. */
  readonly requests: readonly FakeRequest[];
  /** The requests to one path. */
  to(path: string): readonly FakeRequest[];
  /** What the account's person does in the browser at this address; returns where the host sends the browser back to. */
  consent(authorizationAddress: string): URL;
  /** Enters the user code of the device flow that was begun last. */
  enterUserCode(): void;
  /** Makes an access token end, as if its time were over or somebody had revoked it. */
  end(accessToken: string): void;
  /** Answers instead of the host, for hosts that misbehave; returns whether it did. */
  intercept: ((request: FakeRequest, response: ServerResponse) => boolean) | null;
  /** Runs before an answer of the token endpoint is sent. */
  beforeGrant: (() => Promise<void>) | null;
}

export interface FakeCodeHostOptions {
  /** Answers the token endpoint with a form, and refusals with status 200. */
  readonly answersForms?: boolean;
  /** Of granted tokens; absent: they do not end, and come without a refresh token. */
  readonly expiresIn?: number;
}

const CLIENT = { id: 'client', secret: 'client-secret' };
export const FAKE_CODE_HOST_CLIENT = { client_id: CLIENT.id, client_secret: CLIENT.secret } as const;

/**
 * A code host on this machine that speaks GitHub's paths: authorization code with PKCE, rotating refresh tokens of which a second use is
 * theft, device codes, the account, its installations, and revocation. One account: `octo`.
 */
export async function startFakeCodeHost(options: FakeCodeHostOptions = {}): Promise<FakeCodeHost> {
  const requests: FakeRequest[] = [];
  const codes = new Map<string, { challenge: string; redirectUri: string }>();
  const accessTokens = new Set<string>();
  const refreshTokens = new Map<string, 'fresh' | 'used'>();
  const device = { code: '', isEntered: false };

  const grant = (): Record<string, string | number> => {
    const access_token = `at_${randomUUID()}`;
    accessTokens.add(access_token);
    const granted = { access_token, token_type: 'bearer', scope: 'repo' };
    if (options.expiresIn === undefined) return granted;
    const refresh_token = `rt_${randomUUID()}`;
    refreshTokens.set(refresh_token, 'fresh');
    return { ...granted, refresh_token, expires_in: options.expiresIn };
  };

  const trade = (form: URLSearchParams): Record<string, string | number> => {
    if (form.get('client_id') !== CLIENT.id || form.get('client_secret') !== CLIENT.secret) return { error: 'invalid_client' };
    switch (form.get('grant_type')) {
      case 'authorization_code': {
        const code = codes.get(form.get('code') ?? '');
        codes.delete(form.get('code') ?? '');
        const challenge = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        return code?.challenge === challenge && code.redirectUri === form.get('redirect_uri')
          ? grant()
          : { error: 'bad_verification_code' };
      }
      case 'refresh_token': {
        const token = form.get('refresh_token') ?? '';
        const isFresh = refreshTokens.get(token) === 'fresh';
        refreshTokens.set(token, 'used');
        return isFresh ? grant() : { error: 'bad_refresh_token' };
      }
      default:
        if (form.get('device_code') !== device.code) return { error: 'expired_token' };
        return device.isEntered ? grant() : { error: 'authorization_pending' };
    }
  };

  const sendFields = (response: ServerResponse, fields: Record<string, string | number>): void => {
    if (options.answersForms === true) {
      const form = new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]));
      response.writeHead(200, { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }).end(form.toString());
      return;
    }
    sendJson(response, 'error' in fields ? 400 : 200, fields);
  };

  const answer = async (request: FakeRequest, response: ServerResponse): Promise<void> => {
    const isKnown = accessTokens.has(request.authorization.replace(/^Bearer /, ''));
    switch (request.path) {
      case '/login/oauth/access_token': {
        const fields = trade(request.form);
        await host.beforeGrant?.();
        return sendFields(response, fields);
      }
      case '/login/device/code':
        Object.assign(device, { code: randomUUID(), isEntered: false });
        return sendFields(response, {
          device_code: device.code,
          user_code: 'WDJB-MJHT',
          verification_uri: `${host.url}/login/device`,
          expires_in: 900,
          interval: 5,
        });
      case '/api/v3/user':
        return isKnown ? sendJson(response, 200, ACCOUNT) : sendJson(response, 401, { message: 'Bad credentials' });
      case '/api/v3/user/installations':
        return isKnown
          ? sendJson(response, 200, { installations: [{ id: 7, account: ACCOUNT, html_url: 'https://code.example/settings/7' }] })
          : sendJson(response, 401, {});
      case `/api/v3/applications/${CLIENT.id}/token`:
        accessTokens.delete(String(JSON.parse(request.body).access_token));
        return void response.writeHead(204).end();
      default:
        return sendJson(response, 404, {});
    }
  };

  const server = createServer((incoming, response) => {
    void readRequest(incoming).then(async (request) => {
      requests.push(request);
      if (host.intercept?.(request, response) !== true) await answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;

  const host: FakeCodeHost = {
    url: `http://127.0.0.1:${port}`,
    requests,
    to: (path) => requests.filter((request) => request.path === path),
    consent(address) {
      const { searchParams } = new URL(address);
      const code = randomUUID();
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirectUri });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back;
    },
    enterUserCode: () => void Object.assign(device, { isEntered: true }),
    end: (token) => void accessTokens.delete(token),
    intercept: null,
    beforeGrant: null,
  };
  return host;
}

/** For `intercept`: one answer to every request, whatever it asks. JSON unless the headers say otherwise. */
export function always(
  status: number,
  body: object | string = '',
  headers: Record<string, string> = {},
): NonNullable<FakeCodeHost['intercept']> {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
    return true;
  };
}

const ACCOUNT = {
  id: 1,
  login: 'octo',
  avatar_url: 'https://code.example/octo.png',
  html_url: 'https://code.example/octo',
  name: 'Octo Cat',
};

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function readRequest(incoming: IncomingMessage): Promise<FakeRequest> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  return {
    method: incoming.method ?? '',
    path: new URL(incoming.url ?? '', 'http://host.invalid').pathname,
    authorization: incoming.headers.authorization ?? '',
    body,
    form: new URLSearchParams(body),
  };
}
