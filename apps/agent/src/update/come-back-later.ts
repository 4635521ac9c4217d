/** The server asks to come back later; that is no failure. */
export class ComeBackLater extends Error {
  readonly seconds: number;

  constructor(seconds: number) {
    super(`The server asks to come back in ${seconds} seconds.`);
    this.seconds = seconds;
  }
}
