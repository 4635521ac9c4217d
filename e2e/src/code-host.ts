import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A code host that links accounts, by its consent page and by a device code. Its only person is ada-l. */
export interface CodeHost {
  readonly url: string;
  /** What its consent page answers from now on. */
  answer(decision: 'allow' | 'deny'): void;
  /** Enters the device's code, as the person does on its page. */
  enterDeviceCode(): void;
  close(): Promise<void>;
}

export const DEVICE_USER_CODE = 'WXYZ-1234';

export async function startCodeHost(): Promise<CodeHost> {
  let decision: 'allow' | 'deny' = 'allow';
  let isEntered = false;
  let url = '';

  const json = (response: ServerResponse, body: unknown, status = 200): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', url);
    switch (pathname) {
      case '/authorize': {
        const back = new URL(searchParams.get('redirect_uri') ?? url);
        back.search = new URLSearchParams({
          state: searchParams.get('state') ?? '',
          ...(decision === 'allow' ? { code: 'one-code' } : { error: 'access_denied' }),
        }).toString();
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case '/token':
        json(response, { access_token: 'web-token', token_type: 'bearer' });
        return;
      case '/device':
        json(response, {
          device_code: 'device',
          user_code: DEVICE_USER_CODE,
          verification_uri: `${url}/enter`,
          expires_in: 600,
          interval: 1,
        });
        return;
      case '/device-token':
        if (isEntered) json(response, { access_token: 'device-token', token_type: 'bearer' });
        else json(response, { error: 'authorization_pending' });
        return;
      case '/user':
        json(response, { id: 7, login: 'ada-l', full_name: 'Ada L', name: 'Ada L', avatar_url: '', html_url: `${url}/ada-l` });
        return;
      default:
        json(response, {}, 404);
    }
  };
  const server = createServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url,
    answer: (next) => {
      decision = next;
    },
    enterDeviceCode: () => {
      isEntered = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
