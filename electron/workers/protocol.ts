import type { Problem } from '../contract/problem.ts';
import type { LongArray } from './long-arrays.ts';

/** The functions of a worker by name; each gets an input and the context of its request. */
export type WorkerHandlers = Readonly<
  Record<string, (input: never, context: WorkerRequestContext<never, never>) => unknown>
>;

/** What a handler can do with a request besides returning its result. */
export interface WorkerRequestContext<Update, Answer = void> {
  /** Aborted when the request is cancelled; a busy thread notices it only when it yields. */
  readonly signal: AbortSignal;
  /** Checks for cancellation during synchronous work. @throws CancelledError. */
  throwIfCancelled(): void;
  report(update: Update): void;
  /** Reports something and waits for the answer. @throws CancelledError if the request is cancelled first. */
  ask(update: Update): Promise<Answer>;
  /** Memory of the result that is handed over to the caller instead of copied; the handler adds to it. */
  readonly transfer: ArrayBuffer[];
}

export type HandlerInput<H> = H extends (input: infer Input, ...rest: never[]) => unknown ? Input : never;
export type HandlerResult<H> = H extends (...args: never[]) => infer Result ? Awaited<Result> : never;
type HandlerContext<H> = H extends (input: never, context: infer Context) => unknown ? Context : never;
export type HandlerUpdate<H> =
  HandlerContext<H> extends WorkerRequestContext<infer Update, infer _Answer> ? Update : never;
export type HandlerAnswer<H> =
  HandlerContext<H> extends WorkerRequestContext<infer _Update, infer Answer> ? Answer : never;

export type ToWorker =
  | {
      readonly kind: 'request';
      readonly request: number;
      readonly handler: string;
      readonly input: unknown;
      /** One 32-bit integer, which becomes nonzero when the request is cancelled. */
      readonly cancelled: SharedArrayBuffer;
    }
  | { readonly kind: 'answer'; readonly request: number; readonly question: number; readonly answer: unknown }
  /** The answer to `elements`. */
  | { readonly kind: 'received'; readonly request: number; readonly isPending: boolean }
  | { readonly kind: 'cancel'; readonly request: number }
  /** Clean up and end after the requests in progress. */
  | { readonly kind: 'finish' };

/** A request is over with `done`, `failed` or `cancelled`. */
export type FromWorker =
  | { readonly kind: 'report'; readonly request: number; readonly update: unknown }
  | { readonly kind: 'ask'; readonly request: number; readonly question: number; readonly update: unknown }
  /** Some elements of a long array of the result. The next message follows once these are received. */
  | {
      readonly kind: 'elements';
      readonly request: number;
      readonly list: number;
      readonly elements: readonly unknown[];
    }
  | {
      readonly kind: 'done';
      readonly request: number;
      /** The result without its long arrays. */
      readonly rest: unknown;
      /** Where each long array belongs. */
      readonly paths: readonly LongArray['path'][];
    }
  | { readonly kind: 'failed'; readonly request: number; readonly error: SentError }
  | { readonly kind: 'cancelled'; readonly request: number };

/** An error as it is sent to another thread. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  /** The problem of a `ProblemError`. */
  readonly problem?: Problem;
}

/** The caller cancelled the request. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}
