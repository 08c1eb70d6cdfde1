/** Requests to another process that it has not answered yet. Responses are matched to requests by number. */
export class PendingRequests<Answer> {
  readonly #pending = new Map<number, PromiseWithResolvers<Answer>>();
  #lastRequest = 0;

  /** @param sendRequest sends the request; {@link resolve} or {@link reject} is the response */
  send(sendRequest: (request: number) => void): Promise<Answer> {
    const request = ++this.#lastRequest;
    const deferred = Promise.withResolvers<Answer>();
    this.#pending.set(request, deferred);
    sendRequest(request);
    return deferred.promise;
  }

  resolve(request: number, answer: Answer): void {
    this.#take(request)?.resolve(answer);
  }

  reject(request: number, message: string): void {
    this.#take(request)?.reject(new Error(message));
  }

  /** Rejects all: the other process has ended. */
  rejectAll(message: string): void {
    for (const request of this.#pending.keys()) this.reject(request, message);
  }

  #take(request: number): PromiseWithResolvers<Answer> | undefined {
    const deferred = this.#pending.get(request);
    this.#pending.delete(request);
    return deferred;
  }
}
