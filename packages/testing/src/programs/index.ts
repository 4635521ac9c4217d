export { findRsync } from './find-rsync.ts';
export { findProgram, hasPrograms } from './find-program.ts';
