import assert from 'node:assert/strict';
import { silentWav } from '../../support/speech/quick-speech.ts';
import { codeOf, readCreated, type Api, type Reply } from '../support/api.ts';
import { errorSchema, jobSchema, statusOfCode, type Code } from '../support/document.ts';

/** A rule of the API's document that can be checked on any service. */
export interface Check {
  /** The part of the document. */
  readonly part: string;
  readonly rule: string;
  /**
   * `free` checks only read, and send other requests only without a valid key; `creates` checks try to create jobs and
   * delete them before anything is charged; `pays` checks transcribe a second or two of audio.
   */
  readonly cost: 'free' | 'creates' | 'pays';
  /**
   * @throws any error that shows a violation.
   * @throws InconclusiveError when the rule can be neither shown nor refuted now.
   */
  run(api: Api): Promise<void>;
}

/** A check is inconclusive, which is not the service's fault; the message gives the reason. */
export class InconclusiveError extends Error {
  override readonly name = 'InconclusiveError';
}

/**
 * Asserts an error response with one of `codes`, its status, and a message (API part 7). If no code is found, only the
 * status is checked, since the document does not specify where the code is.
 */
export function assertError(reply: Reply, ...codes: readonly Code[]): void {
  const found = codeOf(reply);
  const response = `${reply.status} ${JSON.stringify(reply.body).slice(0, 300)}`;
  assert(errorSchema.safeParse(reply.body).success, `no error.message: ${response}`);
  const matching = codes.filter((code) => statusOfCode[code] === reply.status);
  const isExpected = found === undefined ? matching.length > 0 : matching.some((code) => code === found);
  const expected = codes.map((code) => `${statusOfCode[code]} ${code}`).join(' or ');
  assert(isExpected, `expected ${expected}, got ${response}`);
}

/** Asserts that a create request is rejected. If the service accepts it anyway, deletes its job. */
export async function assertRefused(api: Api, reply: Reply, ...codes: readonly Code[]): Promise<void> {
  if (reply.status < 300) await api.delete(readCreated(reply).id);
  assertError(reply, ...codes);
}

/** Asserts that `Retry-After` has a number of seconds (API part 4.1). */
export function assertRetryAfter(reply: Reply): void {
  const header = reply.header('retry-after');
  assert(Number(header) > 0, `Retry-After: ${header}`);
}

/** Runs `use` with a new upload session, and deletes its job in any case. */
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

/** Runs `use` with a job whose recording is completely uploaded, and deletes it in any case. */
export async function withRecording(
  api: Api,
  seconds: number,
  use: (id: string) => Promise<void>,
): Promise<void> {
  const wave = silentWav(seconds);
  await withSession(api, wave.length, async ({ id, upload }) => {
    await api.putAll(upload, wave);
    assert.equal((await api.complete(id)).status, 202);
    await use(id);
  });
}

/** Returns the account's remaining credits from the response for a job (API part 2.1). */
export async function balanceBy(api: Api, id: string): Promise<number> {
  return jobSchema.parse((await api.status(id)).body).meta.balance_credits;
}
