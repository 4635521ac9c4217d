import { runInCheckout } from '../frame/checkout.ts';
import { defineCommand } from '../frame/declare.ts';

export const server = defineCommand({
  name: 'server',
  summary: 'Run the server from a checkout',
  description:
    'Runs the server from the checkout that contains this program, like `npm start`: it sets up what is missing and runs until Ctrl-C. Its settings are BERTH_* variables; docs/configuration.md lists them.',
  args: {},
  options: {},
  examples: ['berth server', 'BERTH_HTTP_ADDRESS=0.0.0.0:8080 berth server'],
  prints: false,
  isLocal: true,
  run: () => runInCheckout('start', []),
});
