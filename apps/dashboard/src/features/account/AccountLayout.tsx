import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './AccountLayout.module.css';
import { ACCOUNT_PAGES } from './account-pages.ts';

/** The frame of the pages about one's own account: which there are, and the one that is open. */
export function AccountLayout(): React.JSX.Element {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const navigation = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a narrow screen the names stand in one line, longer than the screen is wide.
    navigation.current?.querySelector(`a[href="${CSS.escape(pathname)}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  return (
    <div className={classes['frame']}>
      <nav ref={navigation} className={classes['navigation']} aria-label="Account">
        {ACCOUNT_PAGES.map(({ to, label }) => (
          <Link key={to} to={to} className="nav-link" aria-current={pathname === to ? 'page' : undefined} activeProps={{}}>
            {label}
          </Link>
        ))}
      </nav>
      <Outlet />
    </div>
  );
}
