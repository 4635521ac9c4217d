export { BUILTIN_KEY_ID, readDaemons } from './read-daemons.ts';
