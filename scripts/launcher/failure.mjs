/** Something that a person has to mend: its message is all that is shown. */
export class Failure extends Error {}
