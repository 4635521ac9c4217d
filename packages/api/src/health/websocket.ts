import { WebSocket } from 'ws';
import { z } from 'zod';
import type { Services } from '../kernel/context.ts';
import type { HealthcheckReport } from './contract.ts';
import { broken, reasonOf, well } from './findings.ts';

const TIMEOUT_MS = 5000;
const ANSWER_MAX_BYTES = 4096;

/** The typed door answers what anybody may ask: which deployment this is. */
const QUESTION = JSON.stringify({ id: 1, method: 'query', params: { path: 'buildInfo.get', input: {} } });
const Answer = z.object({ result: z.object({ data: z.object({ deployment_id: z.string() }) }) });

type Report = Omit<HealthcheckReport['websocket'], 'dismissed'>;

/** Opens a WebSocket at the address of the settings, as the dashboard and agents do, and asks a question over it. Takes 10 s at most. */
export function checkWebsocket({ settings }: Services): Promise<Report> {
  const url = `${settings.accessUrl.replace(/^http/, 'ws')}/api/rpc`;
  const socket = new WebSocket(url, { handshakeTimeout: TIMEOUT_MS, maxPayload: 64 * 1024, followRedirects: false });
  return new Promise<Report>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const end = (report: Report): void => {
      clearTimeout(timer);
      resolve(report);
      // Until it has closed, an error of the socket is nobody's concern.
      socket.on('error', () => undefined);
      socket.terminate();
    };
    socket.once('unexpected-response', (_, answer) => {
      const parts: Buffer[] = [];
      let size = 0;
      const code = answer.statusCode ?? 0;
      const problem = `${url} answers ${code} instead of a WebSocket. A proxy before this server may not let WebSockets through.`;
      const refused = (): void =>
        end({ code, body: Buffer.concat(parts).subarray(0, ANSWER_MAX_BYTES).toString(), ...broken('EWS01', problem) });
      timer = setTimeout(refused, TIMEOUT_MS);
      answer.on('data', (part: Buffer) => {
        parts.push(part);
        size += part.length;
        if (size >= ANSWER_MAX_BYTES) refused();
      });
      answer.once('end', refused).once('error', refused);
    });
    socket.once('error', (error) => end({ code: 0, body: '', ...broken('EWS01', `${url} could not be opened: ${reasonOf(error)}.`) }));
    socket.once('open', () => {
      const opened = { code: 101, body: '' };
      timer = setTimeout(() => end({ ...opened, ...broken('EWS02', 'The WebSocket opened, but no answer came through it.') }), TIMEOUT_MS);
      socket.once('close', () => end({ ...opened, ...broken('EWS02', 'The WebSocket was closed before an answer came.') }));
      socket.once('message', (data: Buffer) => {
        const isOurs = deploymentOf(data.toString()) === settings.deploymentId;
        end({ ...opened, ...(isOurs ? well() : broken('EWS03', 'What answers over the WebSocket is not this deployment.')) });
      });
      socket.send(QUESTION);
    });
  });
}

function deploymentOf(text: string): string | null {
  try {
    return Answer.parse(JSON.parse(text)).result.data.deployment_id;
  } catch {
    return null;
  }
}
