import { trpc } from '../../api/trpc.ts';

const POLL_MS = 5000;

/** The starter templates. Asked again while one cannot run, since a provisioner may connect at any time. */
export function startersQuery() {
  return trpc.templates.examples.queryOptions(
    {},
    { refetchInterval: (query) => (query.state.data?.some(({ available }) => !available) === true ? POLL_MS : false) },
  );
}
