import { z } from 'zod';
import { interruptions } from '../../../electron/on-device/jobs/work-log.ts';
import { startOnDevice } from '../../support/servers/on-device.ts';
import { defaultScript, quickEngine, sentencesOf } from '../../support/speech/quick-speech.ts';
import { loopbackNetwork } from './loopback-network.ts';
import { childCredits } from './start-child.ts';

/** The service in its own process, started by `start-child.ts`. Prints its address on one line. */

const { msPerSecond, sentences, partBytes, maxCrashes, ca, ...options } = z
  .object({
    dataFolder: z.string(),
    key: z.string(),
    partBytes: z.int(),
    maxCrashes: z.int().optional(),
    msPerSecond: z.number().default(0),
    sentences: z.int().optional(),
    interruption: z.enum(interruptions).default('crash'),
    ca: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const service = await startOnDevice({
  ...options,
  credits: childCredits,
  engine: quickEngine({
    ...defaultScript,
    ...(sentences !== undefined && { segments: sentencesOf(sentences) }),
    msPerSecond,
  }),
  ...(ca !== undefined && { network: loopbackNetwork(ca) }),
  limits: { partBytes, ...(maxCrashes !== undefined && { maxCrashes }) },
});
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Exits when the process of the tests has ended.
process.on('disconnect', () => process.exit());
process.stdout.write(`${service.baseUrl}\n`);
