import { startOnDevice } from '../../support/on-device.ts';
import { defaultScript, quickEngine } from '../../support/quick-speech.ts';

/**
 * The service in a process of its own, to be killed: `service-child.ts DATA_FOLDER KEY MS_PER_SECOND CREDITS`. Says its
 * address in one line.
 */
const [dataFolder = '', key = '', msPerSecond = '0', credits = '0'] = process.argv.slice(2);

const service = await startOnDevice({
  dataFolder,
  key,
  credits: Number(credits),
  engine: quickEngine({ ...defaultScript, msPerSecond: Number(msPerSecond) }),
  limits: { partBytes: 64 * 1024 },
});
process.stdout.write(`${service.baseUrl}\n`);
