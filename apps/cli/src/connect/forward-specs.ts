import { usageError } from '../frame/errors.ts';

/** One side listens, the other one is connected to. Hosts without brackets. */
export interface ForwardSpec {
  readonly listenHost: string;
  readonly listenPort: number;
  readonly host: string;
  readonly port: number;
}

/** Where a forwarding listens unless it says so itself: nobody else on the network can use it. */
const LOOPBACK = '127.0.0.1';

/** `[address:]port:host:hostport`, as `ssh -L` and `-R` take it. IPv6 addresses stand in brackets. */
export function parseForward(text: string): ForwardSpec {
  const parts = partsOf(text);
  const [port, host, hostPort] = parts.slice(-3);
  if (parts.length < 3 || parts.length > 4 || host === undefined || host === '') {
    throw usageError(`"${text}" is not a valid forwarding.`, { next: 'Write it as [address:]port:host:hostport' });
  }
  return {
    listenHost: listenHostOf(parts.length === 4 ? parts[0] : undefined),
    listenPort: portOf(port, text, 0),
    host,
    port: portOf(hostPort, text, 1),
  };
}

/** `[address:]port[:workspaceport]`, as `berth port-forward --tcp` takes it. */
export function parsePortForward(text: string): ForwardSpec {
  const wrong = (): never => {
    throw usageError(`"${text}" is not a valid forwarding.`, { next: 'Write it as [address:]port[:workspace-port], such as 8080:80' });
  };
  const parts = partsOf(text);
  const hasAddress = parts.length === 3 || (parts.length === 2 && !/^\d+$/.test(parts[0] ?? ''));
  const ports = hasAddress ? parts.slice(1) : parts;
  if (ports.length < 1 || ports.length > 2) wrong();
  const port = portOf(ports.at(-1), text, 1);
  return {
    listenHost: listenHostOf(hasAddress ? parts[0] : undefined),
    listenPort: portOf(ports[0], text, ports.length === 2 ? 0 : 1),
    host: LOOPBACK,
    port,
  };
}

function partsOf(text: string): string[] {
  return [...text.matchAll(/\[([^\]]*)\](?::|$)|([^:]*)(?::|$)/g)]
    .filter(({ index }) => index < text.length || text.endsWith(':'))
    .map(([, bracketed, plain]) => bracketed ?? plain ?? '');
}

function listenHostOf(address: string | undefined): string {
  if (address === undefined || address === 'localhost') return LOOPBACK;
  return address === '*' || address === '' ? '0.0.0.0' : address;
}

/** 0 lets the system choose. */
function portOf(text: string | undefined, whole: string, min: 0 | 1): number {
  const port = Number(text);
  if (text === undefined || !/^\d{1,5}$/.test(text) || port < min || port > 65_535) {
    throw usageError(`"${whole}" has an invalid port.`, { next: `Use a port from ${min} to 65535` });
  }
  return port;
}

/** `127.0.0.1:8080`, `[::1]:8080`. */
export function placeOf(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
