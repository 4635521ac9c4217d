import { runInCheckout } from '../frame/checkout.ts';
import { defineCommand, rest } from '../frame/declare.ts';

export const provisioner = defineCommand({
  name: 'provisioner',
  summary: 'Run a provisioner from a checkout',
  description:
    'Runs a provisioner from the checkout that contains this program, like `npm run provisioner`, until Ctrl-C. Its options are in docs/guides/provisioners.md.',
  args: { args: rest('Arguments for the provisioner') },
  options: {},
  examples: [
    'BERTH_URL=https://berth.example.com BERTH_PROVISIONER_KEY_FILE=key berth provisioner',
    'berth provisioner --url https://berth.example.com --key-file key',
  ],
  prints: false,
  passesThrough: true,
  passesEverything: true,
  isLocal: true,
  run: (_, { args }) => runInCheckout('provisioner', args.args),
});
