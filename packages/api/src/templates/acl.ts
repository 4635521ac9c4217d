import { z } from 'zod';

/** The ACL columns of a template as the permission rules read them. */
export const Acl = z.record(z.string(), z.array(z.string()));
export type Acl = z.output<typeof Acl>;
