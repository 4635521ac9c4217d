import { z } from 'zod';
import { PROVISIONER_LIMITS } from './limits.ts';

/** 0x00 cannot be stored by PostgreSQL, so no text on this wire may hold it. */
export const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes('\0'), 'must not contain a NUL character');
/** Up to a year. */
export const seconds = () => z.int().min(0).max(31_536_000);
export const order = () => z.int().min(-2_147_483_648).max(2_147_483_647);
export const namedValue = z.object({ name: text(128).min(1), value: text(PROVISIONER_LIMITS.value) });

/** A name of a resource or an agent: it stands in paths and host names. */
export const slug = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[a-zA-Z0-9](?:[a-zA-Z0-9_-]*[a-zA-Z0-9])?$/, 'must be letters, digits, hyphens and underscores');
