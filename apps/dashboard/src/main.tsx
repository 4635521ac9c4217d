import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/jetbrains-mono/index.css';
import './app/app.css';
import { MantineProvider } from '@mantine/core';
import { ModalsProvider } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { onSessionExpired } from './api/session-expiry.ts';
import { router } from './app/router.tsx';
import { cssVariablesResolver, theme } from './app/theme.ts';
import { leaveSession } from './features/session/leave-session.ts';
import { LiveNotice } from './shell/LiveNotice.tsx';
import { showKeptNotice } from './ui/notify.ts';

onSessionExpired(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/login' || pathname === '/setup') return;
  leaveSession({ redirect: href, expired: true });
});

// The page's own code comes while the server is asked who is here, instead of after it. What fails is tried and told when it is shown.
for (const route of router.getMatchedRoutes(location.pathname)[0]) router.loadRouteChunk(route)?.catch(() => undefined);

showKeptNotice();

const container = document.getElementById('root');
if (container === null) throw new Error('index.html has no #root');

createRoot(container).render(
  <StrictMode>
    <MantineProvider theme={theme} cssVariablesResolver={cssVariablesResolver} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <ModalsProvider modalProps={{ closeButtonProps: { 'aria-label': 'Close' } }}>
          <Notifications position="bottom-right" limit={4} />
          <RouterProvider router={router} />
          <LiveNotice />
        </ModalsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
