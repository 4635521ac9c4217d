import { Center, Loader } from '@mantine/core';

/** What is shown when a page, or the answer to who is signed in, takes its time. */
export function LoadingPage(): React.JSX.Element {
  return (
    <Center mih="60vh" role="status" aria-label="Loading">
      <Loader type="dots" />
    </Center>
  );
}
