import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';

/** Who is at the other end of a request, and which host they asked for. */
export interface Peer {
  readonly ip: string;
  /** Name and port, by the word of the trusted proxies if there are any on the way. */
  readonly host: string;
}

export type PeerOf = (request: IncomingMessage) => Peer;

/** Reads requests that do not come through Fastify's routes as Fastify reads the others: forwarding headers count from `trustedProxies` only. */
export function createPeerOf(trustedProxies: readonly string[]): PeerOf {
  const isTrusted = proxyAddr.compile([...trustedProxies]);
  return (request) => {
    const address = request.socket.remoteAddress ?? '';
    const forwarded = request.headers['x-forwarded-host'];
    const isForwarded = forwarded !== undefined && address !== '' && isTrusted(address, 0);
    const host = isForwarded ? String(forwarded).split(',').at(-1)?.trim() : request.headers.host;
    return { ip: address === '' ? '' : proxyAddr(request, isTrusted), host: host ?? '' };
  };
}
