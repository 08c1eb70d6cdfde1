/**
 * A program for Electron that opens the built decoder page off-screen and decodes the files of its command line with
 * it, as the service does. It prints one line of JSON per file.
 *
 * `electron [switches] decoder-host.ts PAGE PRELOAD FFMPEG FILE...`
 */
import { app, BrowserWindow, MessageChannelMain } from 'electron';
import { stat } from 'node:fs/promises';
import { decoderChannel, type RecordingDamage } from '../../../electron/contract/decoder-protocol.ts';
import { DecodeError, type Decoder } from '../../../electron/on-device/decode/decoder.ts';
import { createDecoder } from '../../../electron/on-device/decode/create-decoder.ts';

/** The result of decoding a file. */
export interface DecodedFile {
  readonly file: string;
  readonly bytes: number;
  /** Why it could not be decoded; the other fields are absent then. */
  readonly failure?: string;
  readonly message?: string;
  /** `null` when the file states no duration. */
  readonly claimedSeconds?: number | null;
  readonly seconds?: number;
  readonly damage?: RecordingDamage | null;
  readonly hasVideo?: boolean;
  /** The second with the most energy. */
  readonly loudestSecond?: number;
  /** Root mean square of the samples. */
  readonly loudness?: number;
  readonly milliseconds?: number;
}

const [page, preload, ffmpeg, ...files] = process.argv.slice(process.argv.indexOf(import.meta.filename) + 1);

// Not awaited here: Electron is not ready before its first module has run.
void app.whenReady().then(run);

async function run(): Promise<void> {
  if (page === undefined || preload === undefined || ffmpeg === undefined)
    throw new Error('PAGE, PRELOAD and FFMPEG are required.');
  const window = new BrowserWindow({
    show: false,
    webPreferences: { offscreen: true, sandbox: true, preload },
  });
  await window.loadFile(page);

  const decoder = createDecoder({
    connectPage: async () => {
      const { port1, port2 } = new MessageChannelMain();
      window.webContents.postMessage(decoderChannel, null, [port1]);
      return port2;
    },
    ffmpeg,
  });

  for (const file of files) console.log(JSON.stringify(await decode(decoder, file)));
  app.exit();
}

async function decode(decoder: Decoder, file: string): Promise<DecodedFile> {
  const { size: bytes } = await stat(file);
  const start = performance.now();
  try {
    const recording = await decoder.open(file, new AbortController().signal);
    let length = 0;
    let energy = 0;
    const energies: number[] = [];
    for await (const chunk of recording.samples()) {
      for (const sample of chunk) {
        const second = Math.floor(length++ / 16_000);
        energies[second] = (energies[second] ?? 0) + sample ** 2;
        energy += sample ** 2;
      }
    }
    await recording.close();
    return {
      file,
      bytes,
      claimedSeconds: recording.durationSeconds,
      seconds: length / 16_000,
      damage: recording.damage(),
      hasVideo: recording.hasVideo,
      loudestSecond: energies.indexOf(Math.max(...energies)),
      loudness: Math.sqrt(energy / Math.max(1, length)),
      milliseconds: performance.now() - start,
    };
  } catch (error) {
    if (!(error instanceof DecodeError)) return { file, bytes, failure: 'error', message: String(error) };
    return { file, bytes, failure: error.reason, message: error.message };
  }
}
