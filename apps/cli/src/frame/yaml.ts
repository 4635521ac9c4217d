import { Document, isScalar, parse, visit } from 'yaml';
import { escapeControls } from './plain-text.ts';

/** @throws Error for what is not YAML. */
export function parseYaml(text: string): unknown {
  return parse(text);
}

/** The value as YAML whose text no terminal obeys. */
export function toYaml(value: unknown): string {
  // Through JSON, so that it is exactly what `-o json` prints.
  const document = new Document(JSON.parse(JSON.stringify(value ?? null)), { aliasDuplicateObjects: false });
  visit(document, {
    Scalar: (_, node) => {
      if (isScalar(node) && typeof node.value === 'string' && escapeControls(node.value) !== node.value) node.type = 'QUOTE_DOUBLE';
    },
  });
  return escapeControls(document.toString({ lineWidth: 0 }));
}
