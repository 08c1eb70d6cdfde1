/** The thread that looks for the lengths of recordings: a damaged one may keep it busy for minutes. */
import { parentPort } from 'node:worker_threads';
import { lengthOfFile } from './probe.ts';
import type { FromProbeThread, ToProbeThread } from './probe-protocol.ts';
import { stepBack } from './step-back.ts';

stepBack();

const tell = (message: FromProbeThread): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ request, path }: ToProbeThread) => {
  tell({ kind: 'looking', request });
  void lengthOfFile(path).then((seconds) => tell({ kind: 'found', request, seconds }));
});
