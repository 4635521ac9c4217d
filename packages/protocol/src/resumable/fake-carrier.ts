import { Duplex } from 'node:stream';

/** What both ends of a fake carrier share. */
interface Cable {
  bytesLeft: number;
  cut(): void;
}

class CarrierEnd extends Duplex {
  readonly #cable: Cable;
  peer: CarrierEnd | undefined;
  #resumePeer: (() => void) | undefined;

  constructor(cable: Cable) {
    super({ highWaterMark: 16 * 1024 });
    this.#cable = cable;
  }

  override _read(): void {
    const resume = this.#resumePeer;
    this.#resumePeer = undefined;
    resume?.();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const { peer } = this;
    if (peer === undefined) return done(new Error('The fake carrier has no other end.'));
    const piece = chunk.subarray(0, this.#cable.bytesLeft);
    this.#cable.bytesLeft -= piece.length;
    const takesMore = piece.length === 0 || peer.destroyed || peer.push(piece);
    if (this.#cable.bytesLeft === 0) this.#cable.cut();
    if (takesMore) done();
    else peer.#resumePeer = done;
  }

  override _final(done: (error?: Error | null) => void): void {
    this.peer?.push(null);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    const { peer } = this;
    setImmediate(() => peer?.destroy());
    done(error);
  }
}

/** Two ends of a connection in this process that breaks, both ways at once, when so many bytes have passed; what was under way may be lost. */
export function fakeCarrier(bytesUntilCut = Number.POSITIVE_INFINITY): [Duplex, Duplex] {
  const cable: Cable = {
    bytesLeft: bytesUntilCut,
    cut: () => {
      left.destroy();
      right.destroy();
    },
  };
  const left = new CarrierEnd(cable);
  const right = new CarrierEnd(cable);
  left.peer = right;
  right.peer = left;
  left.on('error', () => undefined);
  right.on('error', () => undefined);
  return [left, right];
}
