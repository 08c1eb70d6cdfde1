import assert from 'node:assert/strict';
import type { Api, Reply } from '../support/api.ts';
import { errorSchema } from '../support/document.ts';

/** One sentence of the API's document, as something that can be tried on any service. */
export interface Check {
  /** The part of the document. */
  readonly part: string;
  readonly rule: string;
  /**
   * What it takes: `free` only reads, and sends nothing else but without a valid key; `creates` makes jobs, or tries to,
   * and deletes them before anything is charged; `pays` has a second of sound transcribed.
   */
  readonly cost: 'free' | 'creates' | 'pays';
  run(api: Api): Promise<void>;
}

/** Asserts an error answer with its status, its code and words for a person (API part 7). */
export function assertError(reply: Reply, status: number, code: string): void {
  const { error } = errorSchema.parse(reply.body);
  assert.deepEqual({ status: reply.status, code: error.code }, { status, code }, error.message);
}

/** Runs `use` with a new upload session, and deletes its job whatever happens. */
export async function withSession(
  api: Api,
  fileSize: number,
  use: (session: Awaited<ReturnType<Api['session']>>) => Promise<void>,
): Promise<void> {
  const session = await api.session('conformance.wav', fileSize);
  try {
    await use(session);
  } finally {
    await api.delete(session.id);
  }
}
