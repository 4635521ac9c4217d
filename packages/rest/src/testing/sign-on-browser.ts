import type { TestServer } from './index.ts';

/** A browser that signs in: it keeps the cookies of the server under test and of the provider, and follows the provider's redirects. */
export class SignOnBrowser {
  readonly cookies = new Map<string, string>();
  readonly #server: TestServer;
  readonly #foreign = new Map<string, string>();

  constructor(server: TestServer) {
    this.#server = server;
  }

  /** Asks the server under test; the cookies that it sets are kept. */
  async get(url: string): Promise<{ status: number; location: string }> {
    const response = await this.#server.app.inject({ method: 'GET', url, headers: { cookie: this.#header(this.cookies) } });
    for (const { name, value, maxAge } of response.cookies) {
      if (maxAge === 0) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: response.statusCode, location: response.headers.location ?? '' };
  }

  /** From our begin to the address that the provider sends the browser back to, as a path of ours. */
  async toCallback(begin: string): Promise<string> {
    const { location } = await this.get(begin);
    return location.startsWith('/') ? location : this.atProvider(location);
  }

  /** Follows the provider's redirects until one leads back to us. */
  async atProvider(address: string): Promise<string> {
    let next = address;
    for (let step = 0; step < 10; step++) {
      const response = await fetch(next, { redirect: 'manual', headers: { cookie: this.#header(this.#foreign) } });
      await response.arrayBuffer();
      for (const cookie of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (name !== undefined && value !== undefined) this.#foreign.set(name, value);
      }
      const target = new URL(response.headers.get('location') ?? '', next);
      if (target.href.startsWith(this.#server.services.settings.accessUrl)) return `${target.pathname}${target.search}`;
      next = target.href;
    }
    throw new Error('the provider never led back');
  }

  /** The whole way; where the browser ends. */
  async signIn(begin = '/api/v2/users/oidc/callback'): Promise<string> {
    const callback = await this.toCallback(begin);
    if (!callback.startsWith('/api/')) return callback;
    return (await this.get(callback)).location;
  }

  /** The account that this browser is signed in to; null when it is to none. */
  async whoAmI(): Promise<{
    id: string;
    username: string;
    email: string;
    name: string;
    login_type: string;
    organization_ids: string[];
  } | null> {
    const response = await this.#server.app.inject({ url: '/api/v2/users/me', headers: { cookie: this.#header(this.cookies) } });
    return response.statusCode === 200 ? response.json() : null;
  }

  #header(cookies: ReadonlyMap<string, string>): string {
    return [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }
}
