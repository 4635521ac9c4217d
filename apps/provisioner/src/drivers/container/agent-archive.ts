import { Readable } from 'node:stream';
import type { AgentFiles } from '@berth/protocol/agent-delivery';
import { packAgent } from '@berth/protocol/agent-delivery';
import { pack } from 'tar-stream';

/** Where the agent is in a container. */
export const AGENT_FOLDER = '/berth';
export const START_FILE = `${AGENT_FOLDER}/start.sh`;

export interface AgentArchive {
  /** Absent: the agent is not put into the container, and the script fetches it from the server. */
  readonly files: AgentFiles | undefined;
  readonly script: string;
}

/** A tar to unpack at the root of a container: the script that starts the agent, and the agent with its Node.js. */
export function agentArchive({ files, script }: AgentArchive): Readable {
  const folder = `${AGENT_FOLDER.slice(1)}/`;
  const tar = pack();
  tar.entry({ name: folder, type: 'directory', mode: 0o755, mtime: new Date(0) });
  tar.entry({ name: `${folder}start.sh`, mode: 0o755, mtime: new Date(0) }, script);
  const filling = files === undefined ? Promise.resolve() : packAgent(tar, files, folder);
  filling.then(
    () => tar.finalize(),
    (error: unknown) => tar.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  return Readable.from(tar, { objectMode: false });
}
