import type { LinkProps } from '@tanstack/react-router';
import { Link, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import classes from './SideNavigation.module.css';

export interface SidePage {
  readonly to: LinkProps['to'] & string;
  readonly label: string;
}

interface Props {
  /** What the pages are about: "Account". */
  readonly label: string;
  readonly pages: readonly SidePage[];
  readonly children: React.ReactNode;
}

/** The frame of pages that belong together: which there are, and the one that is open. What lies below a page belongs to it. */
export function SideNavigation({ label, pages, children }: Props): React.JSX.Element {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const navigation = useRef<HTMLElement>(null);
  const here = pages.find(({ to }) => pathname === to || pathname.startsWith(`${to}/`))?.to;
  useEffect(() => {
    // On a narrow screen the names stand in one line, longer than the screen is wide.
    navigation.current?.querySelector('a[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [here]);
  return (
    <div className={classes['frame']}>
      <nav ref={navigation} className={classes['navigation']} aria-label={label}>
        {pages.map((page) => (
          <Link key={page.to} to={page.to} className="nav-link" aria-current={page.to === here ? 'page' : undefined} activeProps={{}}>
            {page.label}
          </Link>
        ))}
      </nav>
      {children}
    </div>
  );
}
