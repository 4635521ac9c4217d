import type { ProvisionerType } from '../enums.ts';

/** The connected provisioners that have the driver of a template. */
export interface DriverCoverage {
  /** Whether one of them has the tags that the template needs. */
  readonly isServed: boolean;
  /** Whether one of them has the driver, whatever its tags. */
  readonly hasDriver: boolean;
}

const MISSING: Readonly<Record<ProvisionerType, string>> = {
  process:
    'No connected provisioner runs process templates. Start a provisioner, or set BERTH_PROVISIONER_DAEMONS to 1 and restart the server.',
  container: 'No connected provisioner has a container engine. Install Docker or Podman on a provisioner host and restart the provisioner.',
  terraform: 'No connected provisioner has Terraform. Install Terraform or OpenTofu on a provisioner host and restart the provisioner.',
  echo: 'No connected provisioner runs echo templates. Start one that does.',
};

/** Why no connected provisioner takes the jobs of a template, and how to fix it; empty when one does. */
export function unservedReason(provisioner: ProvisionerType, { isServed, hasDriver }: DriverCoverage): string {
  if (isServed) return '';
  return hasDriver
    ? `The connected provisioners for ${provisioner} templates have other tags than this template needs. Start one with matching tags.`
    : MISSING[provisioner];
}
