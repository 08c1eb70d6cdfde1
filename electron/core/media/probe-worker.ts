/** The thread that looks for the lengths of recordings: a damaged one may keep it busy for minutes. */
import { parentPort } from 'node:worker_threads';
import { lengthOfFile } from './probe.ts';
import { stepBack } from './step-back.ts';

stepBack();

parentPort?.on('message', (path: string) => {
  void lengthOfFile(path).then((seconds) => parentPort?.postMessage(seconds));
});
