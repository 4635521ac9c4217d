/** The text of an HCL file as plain data. Rejects with an `Error` that names file, line and column. */
export function parse(filename: string, contents: string): Promise<unknown>;
