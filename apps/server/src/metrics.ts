import { createServer } from 'node:http';
import type { Metrics } from '@berth/api/server';
import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client';

/** Counters of this process in Prometheus' text form. */
export class ServerMetrics implements Metrics {
  readonly registry = new Registry();
  readonly #turns = new Histogram({
    name: 'berth_loop_turn_seconds',
    help: 'Time that one turn of a background loop took.',
    labelNames: ['loop'],
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers: [this.registry],
  });
  readonly #failures = new Counter({
    name: 'berth_loop_failures_total',
    help: 'Turns of a background loop that failed.',
    labelNames: ['loop'],
    registers: [this.registry],
  });

  readonly #rules = new Counter({
    name: 'berth_schedule_rules_total',
    help: 'Rules of workspace schedules that were followed, or could not be.',
    labelNames: ['rule', 'outcome'],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry, prefix: 'berth_' });
  }

  loopTurn(loop: string, seconds: number, isOk: boolean): void {
    this.#turns.observe({ loop }, seconds);
    if (!isOk) this.#failures.inc({ loop });
  }

  async values(): Promise<Record<string, number>> {
    const metrics = await this.registry.getMetricsAsJSON();
    return Object.fromEntries(
      metrics.flatMap(({ name, values }) =>
        values.map(({ value, labels, ...rest }) => {
          const own = 'metricName' in rest && typeof rest.metricName === 'string' ? rest.metricName : name;
          const told = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
          return [told.length === 0 ? own : `${own}{${told.join(',')}}`, value] as const;
        }),
      ),
    );
  }

  scheduleRule(rule: string, outcome: 'done' | 'refused'): void {
    this.#rules.inc({ rule, outcome });
  }
}

/** Serves `/metrics` on an address of its own, so that the product's port shows none of it. Returns how to stop. */
export async function serveMetrics(metrics: ServerMetrics, { host, port }: { host: string; port: number }): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return void response.writeHead(404).end();
    metrics.registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return () => new Promise((resolve) => void server.close(() => resolve()));
}
