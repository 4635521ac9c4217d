import type { BuildJob, ProvisionedResource } from '@berth/protocol';
import type { Applied, Driver, DriverContext, ParsedTemplate, Plan, TemplateSource } from '../driver.ts';

export const NOTHING_APPLIED: Applied = { state: Buffer.from('state'), timings: [] };

/** A driver of which a test scripts the part it is about. */
export class FakeDriver implements Driver {
  readonly type = 'process';
  resources: ProvisionedResource[] = [];
  onParse: (context: DriverContext, directory: string) => Promise<void> = async () => {};
  onPlan: (context: DriverContext, source: TemplateSource) => Promise<void> = async () => {};
  onApply: (context: DriverContext) => Promise<Applied> = async () => NOTHING_APPLIED;

  async parse({ directory }: { directory: string }, context: DriverContext): Promise<ParsedTemplate> {
    await this.onParse(context, directory);
    return {
      readme: '',
      variables: [],
      parameters: [],
      startResources: this.resources,
      stopResources: [],
      externalAuthProviders: [],
      workspaceTags: {},
    };
  }

  async plan({ source }: { job: BuildJob; source: TemplateSource }, context: DriverContext): Promise<Plan> {
    await this.onPlan(context, source);
    return { resources: this.resources, apply: (_, applying) => this.onApply(applying) };
  }
}

/** Never resolves; rejects when the work has to stop. Calls `reached` once it waits. */
export function untilStopped({ signal }: DriverContext, reached: () => void): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped', { cause: signal.reason })), { once: true });
    reached();
  });
}
