import { createRoute, redirect } from '@tanstack/react-router';
import { adminAddresses, adminPages } from './admin-routes.tsx';
import { auditPages } from './audit-routes.tsx';
import { NotFoundPage } from './FailurePage.tsx';
import { root, session, shell } from './frame-routes.tsx';
import { accountPages, consentPages, sessionPages } from './identity-routes.tsx';
import { peopleAddresses, peoplePages } from './people-routes.tsx';
import { templatePages } from './template-routes.tsx';
import { terminalPages, workspacePages } from './workspace-routes.tsx';

/** Every page is a chunk of its own; only the shell and this table come with the first load. */

const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/workspaces', replace: true });
  },
});

/** An address without a page, for whoever is signed in: with the shell around it, and so with ways on. */
const nowhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

export const routeTree = root.addChildren([
  ...sessionPages,
  session.addChildren([
    ...terminalPages,
    ...consentPages,
    shell.addChildren([
      home,
      nowhere,
      ...workspacePages,
      ...templatePages,
      ...auditPages,
      peoplePages,
      ...peopleAddresses,
      adminPages,
      ...adminAddresses,
      ...accountPages,
    ]),
  ]),
]);
