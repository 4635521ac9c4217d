import { join } from 'node:path';

/** Where a Docker-compatible engine listens. */
export type EngineAddress =
  | { readonly kind: 'socket'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

export interface EngineSettings {
  /** The operator's word: an address, or `off`. */
  readonly host: string | undefined;
  /** Of whoever runs this; rootless engines listen there. */
  readonly runtimeDir: string | undefined;
}

/** The addresses to try, best first; empty when there shall be none. Throws a sentence for an address that cannot be used. */
export function engineAddresses({ host, runtimeDir }: EngineSettings): EngineAddress[] {
  if (host === 'off') return [];
  if (host !== undefined && host !== '') return [parseEngineAddress(host)];
  const folders = runtimeDir === undefined || runtimeDir === '' ? [] : [runtimeDir];
  const paths = [
    '/var/run/docker.sock',
    ...folders.map((folder) => join(folder, 'docker.sock')),
    '/run/podman/podman.sock',
    ...folders.map((folder) => join(folder, 'podman', 'podman.sock')),
  ];
  return paths.map((path) => ({ kind: 'socket', path }));
}

/** Reads what people write into DOCKER_HOST. */
export function parseEngineAddress(text: string): EngineAddress {
  if (text.startsWith('/')) return { kind: 'socket', path: text };
  if (text.startsWith('unix://')) return { kind: 'socket', path: text.slice('unix://'.length) };
  const url = URL.parse(text.replace(/^tcp:/, 'http:'));
  if (url === null || url.protocol !== 'http:' || url.hostname === '') {
    throw new Error(
      `${JSON.stringify(text)} is no address of an engine that can be used: it must be unix:///PATH or tcp://HOST:PORT, or off.`,
    );
  }
  return { kind: 'tcp', host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port === '' ? 2375 : Number(url.port) };
}

/** As people write it. */
export function showAddress(address: EngineAddress): string {
  return address.kind === 'socket' ? `unix://${address.path}` : `tcp://${address.host}:${address.port}`;
}
