/** Requests of which only the last counts. */
export interface LatestRequest<Wanted> {
  /** Whether the answer to the last request is still on its way. */
  readonly isOpen: boolean;
  /** Of requests that come faster than answers only the last is sent, and only its answer is taken. */
  request(wanted: Wanted): void;
}

export function createLatestRequest<Wanted, Answer>(
  ask: (wanted: Wanted) => Promise<Answer>,
  take: (answer: Answer) => void,
  fail: (error: unknown) => void,
): LatestRequest<Wanted> {
  let open: { readonly wanted: Wanted } | null = null;
  let asking = false;

  const askForOpen = async (): Promise<void> => {
    asking = true;
    try {
      while (open !== null) {
        const sent: { readonly wanted: Wanted } = open;
        const answer = await ask(sent.wanted);
        if (open === sent) {
          open = null;
          take(answer);
        }
      }
    } catch (error) {
      open = null;
      fail(error);
    } finally {
      asking = false;
    }
  };

  return {
    get isOpen() {
      return open !== null;
    },
    request(wanted) {
      open = { wanted };
      if (!asking) void askForOpen();
    },
  };
}
