import type { ProvisionerPrincipal } from '../kernel/context.ts';
import type { Call } from '../kernel/procedures.ts';

/** A use case of a provisioner daemon. Whatever it names must be of the principal's own organization. */
export interface ProvisionerCall extends Call {
  readonly principal: ProvisionerPrincipal;
}
