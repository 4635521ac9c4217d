import { defineGroup } from '../../frame/declare.ts';
import { extendSchedule } from './extend.ts';
import { showSchedule } from './show.ts';
import { setAutostart } from './start.ts';
import { setAutostop } from './stop.ts';

export const schedule = defineGroup({
  name: 'schedule',
  summary: 'Show or change when a workspace starts and stops automatically',
  commands: [showSchedule, setAutostart, setAutostop, extendSchedule],
});
