import { Agent } from 'undici';
import { systemClock } from '../../../../electron/core/system.ts';
import { downloadFile } from '../../../../electron/on-device/models/download-file.ts';

/** Downloads one file in its own process, which the test kills in the middle: `url target bytes sha256`. */
const [url = '', target = '', sizeBytes = '', sha256 = ''] = process.argv.slice(2);

await downloadFile({ sizeBytes: Number(sizeBytes), sha256, urls: [url] }, target, {
  dispatcher: new Agent(),
  clock: systemClock,
  signal: new AbortController().signal,
  onBytes: (bytes) => process.stdout.write(`${bytes}\n`),
});
