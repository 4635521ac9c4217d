import { runInCheckout } from '../frame/checkout.ts';
import { defineCommand, rest } from '../frame/declare.ts';

export const server = defineCommand({
  name: 'server',
  summary: 'Run the server of this checkout',
  description:
    'Runs the server of the checkout that this program lies in, as `npm start` does there: it sets up what is missing, and goes on until Ctrl-C. Its settings are BERTH_* variables, all of them in docs/configuration.md.',
  args: { args: rest('Handed on to the server') },
  options: {},
  examples: ['berth server', 'BERTH_HTTP_ADDRESS=0.0.0.0:8080 berth server'],
  prints: false,
  passesThrough: true,
  passesEverything: true,
  isLocal: true,
  run: (_, { args }) => runInCheckout('start', args.args),
});
