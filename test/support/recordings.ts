import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { kennedy } from './speech/speech-audio.ts';

/** A folder of its own for a test, removed when the test is over. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'longhand-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Puts a copy of a recording to `path`, with the folders on the way. */
export async function putRecording(path: string, recording: string = kennedy.mp3): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await copyFile(recording, path);
}
