import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToDecoder } from '../../../../electron/contract/decoder-protocol.ts';
import {
  DecodeError,
  DecoderUnavailableError,
  type DecodedRecording,
} from '../../../../electron/on-device/decode/decoder.ts';
import { BrowserDecoder } from '../../../../electron/on-device/decode/browser-decoder.ts';
import type { PagePort } from '../../../../electron/on-device/decode/page-port.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { asPagePort, connectPage } from '../../../support/speech/page-in-process.ts';
import {
  collectSamples,
  kennedy,
  noise,
  readWav,
  silence,
  wavFile,
} from '../../../support/speech/speech-audio.ts';

const never = new AbortController().signal;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-decode-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(contents: Uint8Array): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.bin`);
  await writeFile(path, contents);
  return path;
}

function samplesOf(recording: DecodedRecording): Promise<Float32Array> {
  return collectSamples(recording.samples());
}

/** A port whose other end runs the given handler. */
function scripted(
  answer: (message: ToDecoder, say: (data: unknown) => void) => void,
): () => Promise<PagePort> {
  return async () => {
    const { port1, port2 } = new MessageChannel();
    port1.on('message', (message: ToDecoder) => {
      if (message.kind === 'close') port1.close();
      else answer(message, (data) => port1.postMessage(data));
    });
    return asPagePort(port2);
  };
}

const opened = { kind: 'opened', durationSeconds: 1, hasVideo: false, codec: 'mp3' };

describe('the page', () => {
  const decoder = new BrowserDecoder(connectPage);

  it('returns the exact samples of uncompressed audio', async () => {
    const recording = await decoder.open(kennedy.wav, never);
    expect(recording.durationSeconds).toBeCloseTo(kennedy.seconds, 3);
    expect(recording.hasVideo).toBe(false);
    expect(await samplesOf(recording)).toEqual(readWav(kennedy.wav));
    await recording.close();
    await recording.close();
  });

  it('resamples other rates to 16 kHz', async () => {
    const path = await fileOf(wavFile(noise(3), 44_100));
    const recording = await decoder.open(path, never);
    expect((await samplesOf(recording)).length).toBe(Math.ceil((3 * 16_000 * 16_000) / 44_100));
    await recording.close();
  });

  it('returns the samples of a truncated file up to its end', async () => {
    const path = await fileOf(wavFile(noise(10)).subarray(0, 44 + 4 * 32_000));
    const recording = await decoder.open(path, never);
    expect((await samplesOf(recording)).length).toBe(4 * 16_000);
    await recording.close();
  });

  it.each([
    ['a text file', Buffer.from('This is a text and no recording.\n'.repeat(500)), 'unknown-container'],
    ['an empty file', Buffer.alloc(0), 'broken'],
    ['only a header', wavFile(silence(1)).subarray(0, 44), 'broken'],
  ])('reports the reason for %s', async (_, contents, reason) => {
    await expect(decoder.open(await fileOf(contents), never)).rejects.toMatchObject({
      name: 'DecodeError',
      reason,
    });
  });

  it.each([1, 0xffff_ffff])('rejects a sample rate of %d Hz', async (rate) => {
    const file = Buffer.from(wavFile(noise(3)));
    file.writeUInt32LE(rate, 24);
    const recording = await decoder.open(await fileOf(file), never);
    await expect(samplesOf(recording)).rejects.toMatchObject({
      name: 'DecodeError',
      reason: 'broken',
      message: 'This recording is damaged: its sound cannot be decoded.',
    });
    await recording.close();
  });

  it('stops when the reader leaves early', async () => {
    const recording = await decoder.open(await fileOf(wavFile(noise(60))), never);
    for await (const chunk of recording.samples()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await recording.close();
  });

  it('rejects a missing file', async () => {
    await expect(decoder.open(join(folder, 'missing'), never)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not used when the signal is already aborted', async () => {
    const reason = new Error('Too late.');
    await expect(decoder.open(kennedy.wav, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('a misbehaving page', () => {
  it('that never responds: the signal ends the wait', async () => {
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const decoder = new BrowserDecoder(scripted(() => abort.abort(reason)));
    await expect(decoder.open(kennedy.wav, abort.signal)).rejects.toBe(reason);
  });

  it('that never opens: the signal ends the wait, and a late port is closed', async () => {
    const wanted = Promise.withResolvers<PagePort>();
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const asked = Promise.withResolvers<void>();
    const decoder = new BrowserDecoder(() => {
      asked.resolve();
      return wanted.promise;
    });
    const opening = decoder.open(kennedy.wav, abort.signal);
    await asked.promise;
    abort.abort(reason);
    await expect(opening).rejects.toBe(reason);
    const { port1, port2 } = new MessageChannel();
    const closed = new Promise((resolve) => port1.once('close', resolve));
    wanted.resolve(asPagePort(port2));
    await closed;
  });

  it('that hangs is reopened, and a recording that hangs it twice is rejected', async () => {
    const clock = new ManualClock();
    let stuck = 0;
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let times = 0;
    const connect = scripted(() => asked[times++]?.resolve());
    const decoder = new BrowserDecoder(connect, { clock, onStuck: () => stuck++ });
    for (const error of [DecoderUnavailableError, DecodeError]) {
      const opening = decoder.open(kennedy.wav, never);
      const failure = opening.catch((met: unknown) => met);
      await asked[stuck]?.promise;
      clock.advance(110_000);
      expect(stuck).toBe(error === DecodeError ? 1 : 0);
      clock.advance(10_000);
      expect(await failure).toBeInstanceOf(error);
    }
    expect(stuck).toBe(2);
    expect(clock.nextAt).toBeNull();
  });

  it('that never sends the next chunk: the signal ends the wait', async () => {
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const decoder = new BrowserDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') say(opened);
        else abort.abort(reason);
      }),
    );
    const recording = await decoder.open(kennedy.wav, abort.signal);
    await expect(samplesOf(recording)).rejects.toBe(reason);
    await recording.close();
  });

  it('that crashes while opening is reported as unavailable', async () => {
    const decoder = new BrowserDecoder(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', () => port1.close());
      return asPagePort(port2);
    });
    await expect(decoder.open(kennedy.wav, never)).rejects.toThrow('stopped before it was done');
  });

  it('that crashes between two chunks is reported as unavailable', async () => {
    const decoder = new BrowserDecoder(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', (message: ToDecoder) => {
        if (message.kind === 'open') port1.postMessage(opened);
        else port1.close();
      });
      return asPagePort(port2);
    });
    const recording = await decoder.open(kennedy.wav, never);
    await expect(samplesOf(recording)).rejects.toThrow('stopped before it was done');
    await expect(samplesOf(recording)).rejects.toThrow('stopped before it was done');
    await recording.close();
  });

  it('that is missing is reported as unavailable', async () => {
    const decoder = new BrowserDecoder(() => Promise.reject(new Error('No page.')));
    for (const _ of [1, 2, 3]) {
      await expect(decoder.open(kennedy.wav, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    }
  });

  describe('that crashes while several recordings are open', () => {
    /** The page's ends of the ports; a crash closes all. */
    let ports: MessagePort[] = [];
    const crash = (): void => {
      for (const port of ports) port.close();
      ports = [];
    };
    /** A page that crashes when it opens a recording of this many bytes, and decodes all others second by second. */
    const crashingOn = (hostileBytes: number) =>
      new BrowserDecoder(async () => {
        const { port1, port2 } = new MessageChannel();
        ports.push(port1);
        let seconds = 0;
        port1.on('message', (message: ToDecoder) => {
          if (message.kind === 'open' && message.sizeBytes === hostileBytes) crash();
          else if (message.kind === 'open') port1.postMessage(opened);
          else if (message.kind === 'next')
            port1.postMessage({
              kind: 'samples',
              startSeconds: seconds++,
              sampleRate: 16_000,
              channels: 1,
              samples: new Float32Array(16_000),
            });
          else if (message.kind === 'close') port1.close();
        });
        return asPagePort(port2);
      });

    it('the innocent ones are never rejected, and the cause is rejected once it is decoded alone', async () => {
      const hostile = await fileOf(Buffer.alloc(100));
      const decoder = crashingOn(100);
      const innocent = await decoder.open(kennedy.wav, never);
      const samples = innocent.samples()[Symbol.asyncIterator]();
      await samples.next();
      await expect(decoder.open(hostile, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
      const readOn = async (): Promise<void> => {
        while ((await samples.next()).done !== true);
      };
      await expect(readOn()).rejects.toBeInstanceOf(DecoderUnavailableError);
      await innocent.close();

      const again = await decoder.open(kennedy.wav, never);
      // Until it is further than before, it is alone.
      await expect(decoder.open(kennedy.mp3, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
      const rest = again.samples()[Symbol.asyncIterator]();
      for (let second = 0; second < 5; second++) await rest.next();
      await (await decoder.open(kennedy.mp3, never)).close();
      // The suspect waits until nothing else is open.
      await expect(decoder.open(hostile, never)).rejects.toThrow('decoded alone');
      expect((await rest.next()).done).toBe(false);
      await again.close();
      await expect(decoder.open(hostile, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
      await expect(decoder.open(hostile, never)).rejects.toMatchObject({ reason: 'broken' });
    });

    it('a recording that gets further after each crash is not rejected', async () => {
      const decoder = crashingOn(-1);
      for (let crashes = 1; crashes <= 4; crashes++) {
        const recording = await decoder.open(kennedy.wav, never);
        const samples = recording.samples()[Symbol.asyncIterator]();
        for (let second = 0; second < 3 * crashes; second++) await samples.next();
        crash();
        const readOn = async (): Promise<void> => {
          while ((await samples.next()).done !== true);
        };
        await expect(readOn()).rejects.toBeInstanceOf(DecoderUnavailableError);
        await recording.close();
      }
    });
  });

  it('that crashes twice on the same recording: the recording is rejected', async () => {
    const decoder = new BrowserDecoder(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', () => port1.close());
      return asPagePort(port2);
    });
    await expect(decoder.open(kennedy.wav, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    await expect(decoder.open(kennedy.mp3, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    await expect(decoder.open(kennedy.wav, never)).rejects.toMatchObject({ reason: 'broken' });
  });

  it.each([
    ['an unknown message', { kind: 'format-disk' }],
    ['invalid samples', { kind: 'samples', startSeconds: 0, sampleRate: 0, channels: 1, samples: [] }],
    ['the response to another request', { kind: 'end', unreadableSeconds: 0, omittedSeconds: 0 }],
  ])('that sends %s is an error', async (_, words) => {
    const decoder = new BrowserDecoder(scripted((_message, say) => say(words)));
    await expect(decoder.open(kennedy.wav, never)).rejects.toThrow(Error);
  });

  it.each([
    ['more than fits in memory', 0, 2 ** 40],
    ['backwards', 100, 0],
  ])('must not read %s', async (_, start, end) => {
    const decoder = new BrowserDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') say({ kind: 'read', request: 1, start, end });
        if (message.kind === 'read-failed')
          say({ kind: 'failed', reason: 'broken', message: message.message });
        if (message.kind === 'bytes') say(opened);
      }),
    );
    await expect(decoder.open(kennedy.wav, never)).rejects.toMatchObject({ reason: 'broken' });
  });

  it.skipIf(process.platform !== 'linux')('is not asked about a file that cannot be read', async () => {
    const decoder = new BrowserDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') say({ kind: 'read', request: 1, start: 0, end: 10 });
        if (message.kind === 'read-failed')
          say({ kind: 'failed', reason: 'broken', message: message.message });
      }),
    );
    await expect(decoder.open('/proc/self/mem', never)).rejects.toMatchObject({ code: 'EIO' });
  });

  it('that reads beyond the end gets the bytes up to the end', async () => {
    const lengths: number[] = [];
    const decoder = new BrowserDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') {
          say({ kind: 'read', request: 1, start: message.sizeBytes - 10, end: message.sizeBytes + 90 });
        }
        if (message.kind === 'bytes') {
          lengths.push(message.bytes.length);
          say(opened);
        }
      }),
    );
    await (await decoder.open(kennedy.wav, never)).close();
    expect(lengths).toEqual([10]);
  });
});
