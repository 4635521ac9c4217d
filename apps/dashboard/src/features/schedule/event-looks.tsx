import { IconCalendar, IconFlame, IconMoon, IconPlayerPlay, IconPlayerStop, IconTool } from '@tabler/icons-react';
import type { ScheduledEvent } from './schedule-words.ts';

/** How each kind of event looks, wherever it is shown. */
export const EVENT_LOOKS = {
  autostart: { color: 'green', icon: <IconPlayerPlay size={14} /> },
  autostop: { color: 'blue', icon: <IconPlayerStop size={14} /> },
  must_stop: { color: 'orange', icon: <IconCalendar size={14} /> },
  failure_stop: { color: 'orange', icon: <IconTool size={14} /> },
  dormant: { color: 'violet', icon: <IconMoon size={14} /> },
  delete: { color: 'red', icon: <IconFlame size={14} /> },
} as const satisfies Record<ScheduledEvent['kind'], { color: string; icon: React.ReactNode }>;
