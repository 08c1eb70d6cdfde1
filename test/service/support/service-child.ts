import { z } from 'zod';
import { startOnDevice } from '../../support/servers/on-device.ts';
import { defaultScript, quickEngine } from '../../support/speech/quick-speech.ts';
import { loopbackNetwork } from './loopback-network.ts';
import { childCredits } from './start-child.ts';

/** The service in a process of its own; see `start-child.ts`. Says its address in one line. */

const { msPerSecond, partBytes, maxCrashes, ca, ...options } = z
  .object({
    dataFolder: z.string(),
    key: z.string(),
    partBytes: z.int(),
    maxCrashes: z.int().optional(),
    msPerSecond: z.number().default(0),
    ca: z.string().optional(),
  })
  .parse(JSON.parse(process.argv[2] ?? ''));

const service = await startOnDevice({
  ...options,
  credits: childCredits,
  engine: quickEngine({ ...defaultScript, msPerSecond }),
  ...(ca !== undefined && { network: loopbackNetwork(ca) }),
  limits: { partBytes, ...(maxCrashes !== undefined && { maxCrashes }) },
});
process.on('message', () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
// Nobody is left behind by tests that were ended themselves.
process.on('disconnect', () => process.exit());
process.stdout.write(`${service.baseUrl}\n`);
