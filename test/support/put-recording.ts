import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kennedy } from './speech/speech-audio.ts';

/** Copies a recording to `path`, and creates its folders. */
export async function putRecording(path: string, recording: string = kennedy.mp3): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await copyFile(recording, path);
}
