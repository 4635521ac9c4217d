import { IconLock } from '@tabler/icons-react';
import { Navigate } from '@tanstack/react-router';
import { LoadingPage } from '../../app/LoadingPage.tsx';
import { EmptyState } from '../../ui/EmptyState.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useSiteRights } from '../access/use-permissions.ts';
import { adminPages } from './admin-pages.ts';

/** Leads to the first page that somebody with these rights has a use for. */
export function AdminHome(): React.JSX.Element {
  const { may, isKnown } = useSiteRights();
  const first = adminPages(may)[0];
  if (first !== undefined) return <Navigate to={first.to} replace />;
  if (!isKnown) return <LoadingPage />;
  return (
    <EmptyState
      icon={<IconLock size={24} />}
      title="Administration is not for your role"
      isPage
      action={<ButtonLink to="/workspaces">Go to your workspaces</ButtonLink>}
    >
      Owners of the deployment, and whoever they gave rights of it, find its settings here.
    </EmptyState>
  );
}
