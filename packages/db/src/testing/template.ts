export const TEMPLATE_DATABASE = 'berth_template';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the migrated template database. */
    berthTestServer: string;
  }
}
