import { publicProcedure } from '../kernel/procedures.ts';
import { t } from '../kernel/trpc.ts';
import { beginSignOn } from './begin.ts';
import { completeSignOn } from './complete.ts';
import { BeginSignOn, BegunSignOn, CompleteSignOn, CompletedSignOn } from './contract.ts';

/** Called by the callback addresses (packages/rest/src/raw/sign-on.ts), which set and read the cookies of a browser. */
export const signOnRouter = t.router({
  begin: publicProcedure
    .meta({
      permission: 'public',
      audit: { none: 'nothing is kept here until the browser comes back' },
      untransacted: 'it may ask the provider for its addresses',
    })
    .input(BeginSignOn)
    .output(BegunSignOn)
    .mutation(({ ctx, input }) => beginSignOn(ctx, input)),

  complete: publicProcedure
    .meta({
      permission: 'public',
      audit: { resource: 'api_key', action: 'login' },
      untransacted: 'it asks the provider who came back',
    })
    .input(CompleteSignOn)
    .output(CompletedSignOn)
    .mutation(({ ctx, input }) => completeSignOn(ctx, input)),
});
