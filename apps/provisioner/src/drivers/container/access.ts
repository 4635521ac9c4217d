export interface Access {
  /** The server, as the container reaches it. */
  readonly url: string;
  readonly extraHosts: readonly string[];
  /** What a person has to know when it does not work. */
  readonly hint: string | undefined;
}

const HOST = 'host.docker.internal';

/**
 * How a container reaches the server. `localhost` of a container is the container itself: there the host's gateway stands in, unless the
 * container has the host's network.
 */
export function accessFrom(network: string, accessUrl: string): Access {
  const url = new URL(accessUrl);
  if (network === 'host' || !isLoopback(url.hostname)) return { url: accessUrl, extraHosts: [], hint: undefined };
  url.hostname = HOST;
  const address = url.toString().replace(/\/$/, '');
  return {
    url: address,
    extraHosts: [`${HOST}:host-gateway`],
    hint: `The server's address ${accessUrl} means the container itself in a container, so the agent uses ${address}. That needs a server that listens on more than 127.0.0.1, for instance with BERTH_HTTP_ADDRESS=0.0.0.0:${url.port === '' ? '3000' : url.port}; or set BERTH_ACCESS_URL to an address that containers reach.`,
  };
}

function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host.startsWith('127.') ||
    host === '[::1]' ||
    host === '0.0.0.0' ||
    host === '[::]'
  );
}
