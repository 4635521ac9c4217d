/** The published schema of `berth.yaml`, which the build takes from `docs`. */
declare module 'berth.schema.json' {
  const schema: { readonly title: string };
  export default schema;
}
