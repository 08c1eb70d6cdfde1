import { setPriority } from 'node:os';
import { errorCode, errorMessage, isComputerFault, isDiskFull } from '../../contract/errors.ts';
import { computerFault, type Problem } from '../../contract/problem.ts';
import { systemClock } from '../../core/system.ts';
import { workerUrl } from '../../workers/registry.ts';
import { createDecoder } from '../decode/create-decoder.ts';
import { DecodeError } from '../decode/decoder.ts';
import type { PagePort } from '../decode/page-port.ts';
import { ModelError } from '../models/model-catalog.ts';
import { PendingRequests } from '../pending-requests.ts';
import { type FromSpeakerProcess, parseToSpeakerProcess, type ToSpeakerProcess } from './speaker-protocol.ts';
import { SpeakerEngine } from './thread/speaker-engine.ts';

/**
 * The entry point of the process that identifies the speakers of one recording, or describes their voices. It is not
 * the service's process, since the main process cancels it by killing it.
 */

const { parentPort } = process;
const send = (message: FromSpeakerProcess): void => parentPort.postMessage(message);
const ports = new PendingRequests<PagePort>();
const connectPage = (): Promise<PagePort> =>
  ports.send((request) => send({ kind: 'decoder-wanted', request }));

// Keeps the computer responsive.
setPriority(10);

parentPort.on('message', ({ data, ports: transferredPorts }) => {
  const message = parseToSpeakerProcess(data);
  switch (message.kind) {
    case 'identify':
    case 'describe':
      void run(message);
      return;
    case 'decoder': {
      const [port] = transferredPorts;
      if (port === undefined) ports.reject(message.request, 'the message has no port');
      else ports.resolve(message.request, port);
      return;
    }
    case 'decoder-unavailable':
      ports.reject(message.request, message.message);
  }
});

async function run(
  task: Extract<ToSpeakerProcess, { readonly kind: 'identify' | 'describe' }>,
): Promise<void> {
  const { signal } = new AbortController();
  const engine = new SpeakerEngine(workerUrl('speaker', new URL('.', import.meta.url)));
  const decoder = createDecoder({
    connectPage,
    watchdog: { clock: systemClock, onStuck: () => send({ kind: 'decoder-stuck' }) },
  });
  try {
    const recording = await decoder.open(task.recording, signal);
    const samples = recording.samples();
    if (task.kind === 'describe') {
      send({ kind: 'described', described: await engine.describe({ ...task, samples, signal }) });
      return;
    }
    const onProgress = (secondsDone: number): void => send({ kind: 'progress', secondsDone });
    const { turns } = await engine.identify({ ...task, samples, signal, onProgress });
    send({ kind: 'done', turns });
  } catch (error) {
    send({ kind: 'failed', problem: asProblem(error) });
  }
}

function asProblem(error: unknown): Problem {
  const detail = errorMessage(error);
  if (error instanceof ModelError) return { code: 'speaker_models_unusable', detail };
  if (error instanceof DecodeError) return { code: 'unsupported_file', detail };
  if (isComputerFault(error)) return isDiskFull(error) ? { code: 'disk_full', detail } : computerFault(error);
  if (errorCode(error) === 'ENOENT') return { code: 'file_missing', detail };
  return { code: 'speakers_not_identified', detail };
}
