import { duration, text, texts } from '../frame/declare.ts';

/** For what imports a folder. */
export const VERSION_OPTIONS = {
  variable: texts('--variable <name=value>', 'A variable of the template; may be given several times'),
  variableFile: text('--variable-file <file>', 'Variables in a YAML or JSON file, each `name: value`', { complete: 'file' }),
  tag: texts('--tag <name=value>', 'A tag that the provisioner must have; may be given several times'),
  timeout: duration('--timeout <time>', 'How long to wait for the import, such as 10m; 3h unless given'),
};
