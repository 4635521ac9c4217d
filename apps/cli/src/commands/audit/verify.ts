import { defineCommand, rest } from '../../frame/declare.ts';
import { runInCheckout } from '../../frame/checkout.ts';

export const verifyAudit = defineCommand({
  name: 'verify',
  summary: 'Prove that nobody has changed the audit log',
  description:
    'Checks the chain that the rows of the audit log form. Whoever runs the server could make it answer anything, so this asks no server: it reads the database itself, and runs in a checkout of Berth with the settings of the server, as npm run audit:verify does.',
  args: { args: rest('Arguments for npm run audit:verify') },
  options: {},
  examples: ['berth audit verify'],
  prints: false,
  isLocal: true,
  passesThrough: true,
  run: async (_cli, { args }) => runInCheckout('audit:verify', args.args),
});
