export type { OpenShare, ShareDoor } from './let-in.ts';
export { shareFor, termsOf } from './let-in.ts';
export { noteUse } from './note-use.ts';
