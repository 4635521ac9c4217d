import { filesOfTar } from '../template-files/untar.ts';
import { tarOfFile } from './pack-files.ts';

/** What the `berth.yaml` of a template says about the template itself; empty where it says nothing. */
export interface TemplateFacts {
  readonly name: string;
  readonly description: string;
  readonly icon: string;
}

const FILE = 'berth.yaml';
/** The server takes no larger file either. */
const BYTES_MAX = 1024 * 1024;

/** Reads the `berth.yaml` among the chosen files, or in the chosen tar archive. Undefined without one that can be read. */
export async function templateFactsOf(files: readonly File[]): Promise<TemplateFacts | undefined> {
  try {
    const text = await berthFileOf(files);
    if (text === undefined) return undefined;
    const { parse } = await import('yaml');
    const content: unknown = parse(text, { maxAliasCount: 0 });
    return { name: textOf(content, 'name'), description: textOf(content, 'description'), icon: textOf(content, 'icon') };
  } catch {
    // What is wrong with the files is the import's to say.
    return undefined;
  }
}

async function berthFileOf(files: readonly File[]): Promise<string | undefined> {
  const loose = files.find(({ name }) => name === FILE);
  if (loose !== undefined) return loose.size > BYTES_MAX ? undefined : await loose.text();
  const [only] = files;
  const tar = only === undefined || files.length > 1 ? undefined : await tarOfFile(only);
  if (tar === undefined) return undefined;
  const packed = filesOfTar(new Uint8Array(await tar.arrayBuffer())).find(({ path }) => path === FILE);
  return packed === undefined || packed.bytes.length > BYTES_MAX ? undefined : new TextDecoder().decode(packed.bytes);
}

function textOf(content: unknown, key: string): string {
  const value: unknown = typeof content === 'object' && content !== null ? Reflect.get(content, key) : undefined;
  return typeof value === 'string' ? value.trim() : '';
}
