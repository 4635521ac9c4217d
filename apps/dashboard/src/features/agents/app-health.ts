import type { AppHealth } from '@berth/domain';

/** How the health of an app is shown, and said after its name; it says nothing of an app that is not checked. */
export const APP_HEALTH_LOOK: Readonly<Record<AppHealth, { color: string; text: string }>> = {
  disabled: { color: 'gray', text: '' },
  initializing: { color: 'blue', text: 'not checked yet' },
  healthy: { color: 'green', text: 'healthy' },
  unhealthy: { color: 'red', text: 'does not answer its health check' },
};
