import { setPriority } from 'node:os';
import { createDecoder } from './decode/decoders.ts';
import type { PagePort } from './decode/page-port.ts';
import { DecoderPorts } from './decoder-ports.ts';
import { createSpeechEngine } from './engine/worker-engine.ts';
import { parseToService } from './parse-message.ts';
import type { FromService, ServiceOptions } from './protocol.ts';
import { documentedLimits, embeddedLimits, type ServiceLimits } from './service-options.ts';
import { startService, type RunningService } from './start-service.ts';
import { systemClock, systemRandom } from '../core/system.ts';
import { standardErrorLogger } from './standard-error-logger.ts';

/** The service's own process: composes it, and listens to the main process. */

const { parentPort } = process;
const say = (message: FromService): void => parentPort.postMessage(message);
const ports = new DecoderPorts<PagePort>((request) => say({ kind: 'decoder-wanted', request }));
let stop: (() => Promise<void>) | null = null;

// The computer stays usable while it transcribes.
setPriority(10);

parentPort.on('message', ({ data, ports: given }) => {
  const message = parseToService(data);
  switch (message.kind) {
    case 'start':
      void start(message.options);
      return;
    case 'decoder': {
      const [port] = given;
      if (port === undefined) ports.refuse(message.request, 'no port came with the message');
      else ports.deliver(message.request, port);
      return;
    }
    case 'decoder-unavailable':
      ports.refuse(message.request, message.message);
      return;
    case 'stop':
      void end(0);
  }
});

async function start(options: ServiceOptions): Promise<void> {
  try {
    const service = await compose(options);
    say({ kind: 'listening', baseUrl: service.baseUrl });
  } catch (error) {
    say({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    await end(1);
  }
}

async function compose(options: ServiceOptions): Promise<RunningService> {
  const engine = createSpeechEngine({
    modelsFolder: options.modelsFolder,
    workerUrl: new URL('speech-worker.js', import.meta.url),
    logger: standardErrorLogger,
  });
  stop = () => engine.close();
  const service = await startService(options, {
    engine,
    decoder: createDecoder({ connectPage: ports.connect }),
    clock: systemClock,
    random: systemRandom,
    logger: standardErrorLogger,
    limits: limitsFor(options),
  });
  stop = async () => {
    await service.stop();
    await engine.close();
  };
  return service;
}

function limitsFor({ embedded, requestsPerMinute }: ServiceOptions): ServiceLimits {
  const limits = embedded ? embeddedLimits : documentedLimits;
  return requestsPerMinute === null ? limits : { ...limits, requestsPerMinute };
}

async function end(code: number): Promise<void> {
  await stop?.();
  say({ kind: 'stopped' });
  process.exit(code);
}
