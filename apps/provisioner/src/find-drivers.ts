import type { ProvisionerType, SandboxReport } from '@berth/protocol';
import { agentArchitecture } from '@berth/protocol/agent-delivery';
import { join } from 'node:path';
import type { Driver } from './driver.ts';
import { ContainerDriver } from './drivers/container/driver.ts';
import { findEngine } from './drivers/container/find-engine.ts';
import { installRuntime } from './drivers/process/agent-runtime.ts';
import { chooseSandbox } from './drivers/process/choose-sandbox.ts';
import { ProcessDriver } from './drivers/process/driver.ts';
import { findTerraform } from './drivers/terraform/binary.ts';
import { TerraformDriver } from './drivers/terraform/driver.ts';
import type { ProvisionerEnv } from './env.ts';
import type { Log } from './log.ts';

export interface FoundDrivers {
  readonly drivers: readonly Driver[];
  readonly sandbox: SandboxReport;
}

/** What a daemon has to say that starts no processes of workspaces itself. */
const NO_PROCESSES: SandboxReport = {
  kind: 'none',
  detail: 'No workspace runs on this host itself; what a template does while it is built, it does with the rights of the provisioner.',
};

/**
 * The drivers that this host can run, of those that are wanted, each ready for jobs; says once of every other why it is missing. Rejects
 * with a sentence when none is left.
 */
export async function findDrivers(env: ProvisionerEnv, hostEnvironment: NodeJS.ProcessEnv, log: Log): Promise<FoundDrivers> {
  const isWanted = (type: ProvisionerType) => env.drivers.length === 0 || env.drivers.includes(type);
  const drivers: Driver[] = [];
  let report = NO_PROCESSES;

  if (isWanted('process')) {
    const { dataDir, agentDir, hiddenPaths } = env;
    const sandbox = await chooseSandbox({ dataDir, agentDir, nodeBinary: process.execPath, hiddenPaths });
    log(sandbox.report.kind === 'none' ? 'warn' : 'info', sandbox.report.detail, { sandbox: sandbox.report.kind });
    const driver = new ProcessDriver(sandbox);
    await driver.tidy();
    drivers.push(driver);
    report = sandbox.report;
  }

  if (isWanted('container')) {
    const { engine, reason } = await findEngine(env.containers);
    if (engine === undefined) {
      log('info', `No containers here: ${reason}`);
    } else {
      log('info', `containers are made by the engine at ${engine.address}`);
      // A copy: a new version may be built over the original while containers are made.
      const agentDir = await installRuntime({ agentDir: env.agentDir, dataDir: env.dataDir });
      drivers.push(
        new ContainerDriver({
          engine,
          agent: { agentDir, nodeBinary: process.execPath },
          architecture: process.platform === 'linux' ? agentArchitecture(process.arch) : undefined,
          credentials: env.containers.credentials,
        }),
      );
    }
  }

  if (isWanted('terraform')) {
    const found = await findTerraform(hostEnvironment, env.terraformBinary);
    if ('reason' in found) {
      log('info', found.reason);
    } else {
      const { binary } = found;
      log('info', `Terraform templates are built by ${binary.product} ${binary.version}`, { binary: binary.path });
      const dataDir = join(env.dataDir, 'terraform');
      const driver = new TerraformDriver({ binary, dataDir, serverUrl: env.serverUrl, environment: hostEnvironment, log });
      await driver.tidy();
      drivers.push(driver);
    }
  }

  if (drivers.length === 0) throw new Error(`This host can run none of the wanted drivers (${env.drivers.join(', ')}).`);
  return { drivers, sandbox: report };
}
