/** Hands out ports to the decoder page, which somebody else has to open: each is asked for by a number. */
export class DecoderPorts<Port> {
  readonly #ask: (request: number) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<Port>>();
  #requests = 0;

  /** @param ask passes the wish on; {@link deliver} or {@link refuse} answers it. */
  constructor(ask: (request: number) => void) {
    this.#ask = ask;
  }

  /** A port of one's own. Rejects when there is none to be had. */
  readonly connect = (): Promise<Port> => {
    const request = ++this.#requests;
    const wanted = Promise.withResolvers<Port>();
    this.#waiting.set(request, wanted);
    this.#ask(request);
    return wanted.promise;
  };

  deliver(request: number, port: Port): void {
    this.#take(request)?.resolve(port);
  }

  refuse(request: number, message: string): void {
    this.#take(request)?.reject(new Error(message));
  }

  #take(request: number): PromiseWithResolvers<Port> | undefined {
    const wanted = this.#waiting.get(request);
    this.#waiting.delete(request);
    return wanted;
  }
}
