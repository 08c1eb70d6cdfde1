import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exitCode } from '../../../electron/cli/exit-code.ts';
import type { SpeechEngine } from '../../../electron/on-device/engine/speech-engine.ts';
import { acceleratedClock, startCommandLine } from '../../support/command-line-here.ts';
import { quickEngine, silentWav } from '../../support/speech/quick-speech.ts';

it('a fault for which all recordings wait ends the command with its cause, and the next one continues', async () => {
  const unreadable = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  let isBroken = true;
  const broken = quickEngine({ segments: [], error: unreadable });
  const engine: SpeechEngine = {
    ...broken,
    transcribe: (request) => (isBroken ? broken : quickEngine()).transcribe(request),
  };
  const line = await startCommandLine({ engine, clock: acceleratedClock });
  await writeFile(join(line.folder, 'a.wav'), silentWav(2));
  const failed = await line.run(['transcribe', 'a.wav']);
  expect(failed.code).toBe(exitCode.needsUser);
  expect(failed.stderr).toContain('A fault of the computer interrupts the work');
  expect(failed.stderr).toContain('EIO: i/o error, read');
  expect(failed.stderr).toContain('1 left.');
  isBroken = false;
  const resumed = await line.run(['resume']);
  expect(resumed).toMatchObject({ code: exitCode.done });
  expect(await readFile(join(line.folder, 'a.txt'), 'utf8')).toBe(
    'The quick brown fox jumps over the lazy dog.\n',
  );
});
