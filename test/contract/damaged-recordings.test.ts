import { writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { add, rowsOf } from '../support/core.ts';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';
import { silentWav } from '../support/speech/quick-speech.ts';

/** A recording of few bytes: 8 samples a second. */
function slowWav(seconds: number): Buffer {
  const wave = silentWav(0, 44 + seconds * 16);
  wave.writeUInt32LE(36 + seconds * 16, 4);
  wave.writeUInt32LE(8, 24);
  wave.writeUInt32LE(16, 28);
  wave.writeUInt32LE(seconds * 16, 40);
  return wave;
}

it('a recording that the service could read only in part says so, even after a restart', async () => {
  // Each recording is one minute long, according to the service.
  const core = await ScriptedCore.start();
  onTestFinished(() => core.close());
  core.service.account.secondsOf = () => 60;
  for (const [name, seconds] of Object.entries({ 'damaged.wav': 137, 'padded.wav': 62 })) {
    const wave = slowWav(seconds);
    await writeFile(core.pathOf(name), wave);
    core.service.rules.expectFile(name, wave);
    await add(core.longhand, [core.pathOf(name)], core.service.baseUrl);
  }
  expect(
    await core.advanceUntil(() => rowsOf(core.longhand).every(({ state }) => state.kind === 'done')),
  ).toBe(true);
  const shortfalls = () =>
    rowsOf(core.longhand).map(({ state }) => {
      if (state.kind !== 'done' || state.transcript.kind !== 'library') throw new Error('no transcript');
      const document = core.longhand.edits.open(state.transcript.id);
      return [state.shortfall, document?.shortfall];
    });
  const expected = { readSeconds: 60, statedSeconds: 137 };
  expect(shortfalls()).toStrictEqual([
    [expected, expected],
    [undefined, undefined],
  ]);
  await core.reopen();
  expect(shortfalls()).toStrictEqual([
    [expected, expected],
    [undefined, undefined],
  ]);
});
