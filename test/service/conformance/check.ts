import assert from 'node:assert/strict';
import { speechlessWave } from '../../support/speech/quick-speech.ts';
import { codeOf, readCreated, type Api, type Reply } from '../support/api.ts';
import { errorSchema, jobSchema, statusOfCode, type Code } from '../support/document.ts';

/** One sentence of the API's document, as something that can be tried on any service. */
export interface Check {
  /** The part of the document. */
  readonly part: string;
  readonly rule: string;
  /**
   * What it takes: `free` only reads, and sends nothing else but without a valid key; `creates` makes jobs, or tries to,
   * and deletes them before anything is charged; `pays` has a second or two of sound transcribed.
   */
  readonly cost: 'free' | 'creates' | 'pays';
  /**
   * @throws whatever shows that the sentence does not hold.
   * @throws CannotTellError when it can be neither shown nor refuted now.
   */
  run(api: Api): Promise<void>;
}

/** A check came to no end through no fault of the service; the message says why. */
export class CannotTellError extends Error {
  override readonly name = 'CannotTellError';
}

/**
 * Asserts an error answer with one of `codes`, its status, and words for a person (API part 7). A service that puts no
 * code where one can be found is held to the status alone: the document does not show the place.
 */
export function assertError(reply: Reply, ...codes: readonly Code[]): void {
  const found = codeOf(reply);
  const told = `${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`;
  assert(errorSchema.safeParse(reply.body).success, `no error.message: ${told}`);
  const fitting = codes.filter((code) => statusOfCode[code] === reply.status);
  const isMeant = found === undefined ? fitting.length > 0 : fitting.some((code) => code === found);
  const meant = codes.map((code) => `${statusOfCode[code]} ${code}`).join(' or ');
  assert(isMeant, `expected ${meant}, got ${told}`);
}

/** Asserts that a create request is refused. Should the service take it after all, its job is deleted at once. */
export async function assertRefused(api: Api, reply: Reply, ...codes: readonly Code[]): Promise<void> {
  if (reply.status < 300) await api.delete(readCreated(reply).id);
  assertError(reply, ...codes);
}

/** Asserts that a header tells whole seconds to wait (API part 4.1). */
export function assertRetryAfter(reply: Reply): void {
  const header = reply.header('retry-after');
  assert(Number(header) > 0, `Retry-After: ${header}`);
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

/** Runs `use` with a job whose recording of some seconds is complete, and deletes it whatever happens. */
export async function withRecording(
  api: Api,
  seconds: number,
  use: (id: string) => Promise<void>,
): Promise<void> {
  const wave = speechlessWave(seconds);
  await withSession(api, wave.length, async ({ id, upload }) => {
    await api.putAll(upload, wave);
    assert.equal((await api.complete(id)).status, 202);
    await use(id);
  });
}

/** The account's remaining credits, as the answer about any job tells them (API part 2.1). */
export async function balanceBy(api: Api, id: string): Promise<number> {
  return jobSchema.parse((await api.status(id)).body).meta.balance_credits;
}
