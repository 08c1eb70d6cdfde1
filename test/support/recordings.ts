import { copyFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { kennedy } from './speech/speech-audio.ts';

/** Puts a copy of a recording to `path`, with the folders on the way. */
export async function putRecording(path: string, recording: string = kennedy.mp3): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await copyFile(recording, path);
}
