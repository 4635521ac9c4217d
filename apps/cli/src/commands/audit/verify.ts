import { defineCommand, optional } from '../../frame/declare.ts';
import { runInCheckout } from '../../frame/checkout.ts';

export const verifyAudit = defineCommand({
  name: 'verify',
  summary: 'Verify that the audit log was not tampered with',
  description:
    'Checks the hash chain of the audit log. It reads the database directly instead of asking the server, and runs from a checkout of Berth with the settings of the server, like npm run audit:verify.',
  args: { head: optional('The head that an earlier run printed; verifies that the log continues from it') },
  options: {},
  examples: ['berth audit verify'],
  prints: false,
  isLocal: true,
  run: async (_cli, { args }) => runInCheckout('audit:verify', args.head === undefined ? [] : [args.head]),
});
