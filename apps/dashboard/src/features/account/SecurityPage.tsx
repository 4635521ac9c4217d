import { useSuspenseQuery } from '@tanstack/react-query';
import { Page } from '../../ui/Page.tsx';
import { meQuery } from '../session/session.ts';
import { ChangePassword } from './ChangePassword.tsx';
import { Sessions } from './Sessions.tsx';
import { SignOnAccounts } from './SignOnAccounts.tsx';

/** How one gets in, and where one is in. */
export function SecurityPage(): React.JSX.Element {
  const { data: me } = useSuspenseQuery(meQuery());
  return (
    <Page title="Security">
      {me.login_type === 'password' && <ChangePassword me={me} />}
      <SignOnAccounts me={me} />
      <Sessions hasPassword={me.login_type === 'password'} />
    </Page>
  );
}
