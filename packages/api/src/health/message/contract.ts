import { HEALTH_CODES, HEALTH_SEVERITIES } from '@berth/domain';
import { z } from 'zod';

export const HealthMessage = z
  .object({ code: z.enum(HEALTH_CODES).meta({ id: 'HealthCode' }), message: z.string() })
  .meta({ id: 'HealthMessage', description: 'A finding; its code leads to the guide.' });
export type HealthMessage = z.output<typeof HealthMessage>;

export const Severity = z.enum(HEALTH_SEVERITIES).meta({ id: 'HealthSeverity' });
