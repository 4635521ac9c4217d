import type { Socket } from 'node:net';
import type { ErrorReport, Services } from '@berth/api/server';
import { reportOf } from '@berth/api/server';
import { DomainError, newId } from '@berth/core';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setHeaders } from './policy.ts';

/** The error body of `/api/v2`: the same three fields whatever went wrong. */
export function errorBody(report: Pick<ErrorReport, 'message' | 'detail' | 'validations'>): object {
  return { message: report.message, detail: report.detail, validations: report.validations };
}

export function sendReport(reply: FastifyReply, report: ErrorReport): FastifyReply {
  // Every limit counts by the minute.
  if (report.kind === 'rate_limited') void reply.header('retry-after', '60');
  if (report.status === 401 && /^bearer /i.test(reply.request.headers.authorization ?? '')) {
    void reply.header('www-authenticate', 'Bearer error="invalid_token"');
  }
  return reply
    .code(report.status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(errorBody(report)));
}

/** Answers a failure of a route that calls no procedure; what nobody expected is logged, as procedures do themselves. */
export function sendFailure(reply: FastifyReply, error: unknown): FastifyReply {
  const report = reportOf(error);
  if (report.kind === 'internal') reply.request.log.error({ err: error, request_id: reply.request.id }, 'a request failed');
  return sendReport(reply, report);
}

/** What Fastify itself rejects (an oversized body, an unknown content type), as one of our kinds. */
export function frameworkRefusal(error: FastifyError, { routeOptions }: FastifyRequest): DomainError | null {
  if (error.statusCode === 413) {
    const detail = `It may have at most ${routeOptions.bodyLimit} bytes.`;
    return new DomainError('too_large', 'The request body is too large.', { detail, cause: error });
  }
  return error.statusCode === 400 || error.statusCode === 415 ? new DomainError('invalid', error.message, { cause: error }) : null;
}

/** What no route is asked about: a path that is not UTF-8, or with a segment that is too long to name anything. */
export function refuseUnroutable(services: Services, error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  setHeaders(services, request, reply);
  const detail = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? 'A part of the path is too long.' : 'The path is not valid UTF-8.';
  void sendReport(reply, reportOf(new DomainError('invalid', 'The path cannot be read.', { detail })));
}

const UNREADABLE: Readonly<Record<string, readonly [status: number, phrase: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The path or the headers are too long.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request did not come in time.'],
};

/** What Node cannot read as HTTP gets the same body and a request id, written by hand, and its connection ends. */
export function refuseUnreadable(error: { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, phrase, message] = UNREADABLE[error.code ?? ''] ?? [400, 'Bad Request', 'The request cannot be read.'];
  const body = JSON.stringify(errorBody({ message, detail: '', validations: [] }));
  const head = [
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newId()}`,
    'x-content-type-options: nosniff',
    'connection: close',
  ];
  socket.end(`HTTP/1.1 ${status} ${phrase}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Any failure of a request as the report that its caller gets; what nobody expected is logged with the request id. */
export function reportOfRequest(error: FastifyError, request: FastifyRequest): ErrorReport {
  const report = reportOf(frameworkRefusal(error, request) ?? error);
  if (report.status >= 500) request.log.error({ err: error, request_id: request.id }, 'a request failed');
  return report;
}

/** Gives every failure on this server the one error body, and logs what nobody expected with its request id. */
export function installErrorHandling(app: FastifyInstance): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply) => {
    return sendReport(reply, reportOfRequest(error, request));
  });
}
