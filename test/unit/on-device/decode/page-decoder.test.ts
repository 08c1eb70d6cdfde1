import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToDecoder } from '../../../../electron/contract/decoder-protocol.ts';
import {
  DecodeError,
  DecoderUnavailableError,
  type DecodedRecording,
} from '../../../../electron/on-device/decode/decoder.ts';
import { PageDecoder } from '../../../../electron/on-device/decode/page-decoder.ts';
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

/** A port whose other end answers as it is told. */
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
  const decoder = new PageDecoder(connectPage);

  it('gives the very samples of a recording that needs no decoding', async () => {
    const recording = await decoder.open(kennedy.wav, never);
    expect(recording.durationSeconds).toBeCloseTo(kennedy.seconds, 3);
    expect(recording.hasVideo).toBe(false);
    expect(await samplesOf(recording)).toEqual(readWav(kennedy.wav));
    await recording.close();
    await recording.close();
  });

  it('brings other rates to 16 kHz', async () => {
    const path = await fileOf(wavFile(noise(3), 44_100));
    const recording = await decoder.open(path, never);
    expect((await samplesOf(recording)).length).toBe(Math.ceil((3 * 16_000 * 16_000) / 44_100));
    await recording.close();
  });

  it('gives what is there of a file that ends in the middle', async () => {
    const path = await fileOf(wavFile(noise(10)).subarray(0, 44 + 4 * 32_000));
    const recording = await decoder.open(path, never);
    expect((await samplesOf(recording)).length).toBe(4 * 16_000);
    await recording.close();
  });

  it.each([
    ['a text', Buffer.from('This is a text and no recording.\n'.repeat(500)), 'unknown-container'],
    ['nothing', Buffer.alloc(0), 'broken'],
    ['a header alone', wavFile(silence(1)).subarray(0, 44), 'broken'],
  ])('says what is wrong with %s', async (_, contents, reason) => {
    await expect(decoder.open(await fileOf(contents), never)).rejects.toMatchObject({
      name: 'DecodeError',
      reason,
    });
  });

  it.each([1, 0xffff_ffff])('does not believe in %d samples a second', async (rate) => {
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

  it('can be left in the middle', async () => {
    const recording = await decoder.open(await fileOf(wavFile(noise(60))), never);
    for await (const chunk of recording.samples()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await recording.close();
  });

  it('fails to open what is not there', async () => {
    await expect(decoder.open(join(folder, 'missing'), never)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is not asked at all when the signal was given before', async () => {
    const reason = new Error('Too late.');
    await expect(decoder.open(kennedy.wav, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('a page that does not do as it should', () => {
  it('never answers: the signal ends the waiting', async () => {
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const decoder = new PageDecoder(scripted(() => abort.abort(reason)));
    await expect(decoder.open(kennedy.wav, abort.signal)).rejects.toBe(reason);
  });

  it('never comes: the signal ends the waiting, and a port that comes later is closed', async () => {
    const wanted = Promise.withResolvers<PagePort>();
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const asked = Promise.withResolvers<void>();
    const decoder = new PageDecoder(() => {
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

  it('is busy for good: it is opened anew, and a recording that does that twice is to blame', async () => {
    const clock = new ManualClock();
    let stuck = 0;
    const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let times = 0;
    const connect = scripted(() => asked[times++]?.resolve());
    const decoder = new PageDecoder(connect, { clock, onStuck: () => stuck++ });
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

  it('never gives the next piece: the signal ends the waiting', async () => {
    const abort = new AbortController();
    const reason = new Error('Cancelled.');
    const decoder = new PageDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') say(opened);
        else abort.abort(reason);
      }),
    );
    const recording = await decoder.open(kennedy.wav, abort.signal);
    await expect(samplesOf(recording)).rejects.toBe(reason);
    await recording.close();
  });

  it('breaks down while it opens', async () => {
    const decoder = new PageDecoder(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', () => port1.close());
      return asPagePort(port2);
    });
    await expect(decoder.open(kennedy.wav, never)).rejects.toThrow('stopped before it was done');
  });

  it('breaks down between two pieces', async () => {
    const decoder = new PageDecoder(async () => {
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

  it('is not there: that may change', async () => {
    const decoder = new PageDecoder(() => Promise.reject(new Error('No page.')));
    for (const _ of [1, 2, 3]) {
      await expect(decoder.open(kennedy.wav, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    }
  });

  it('breaks down over the same recording again: the recording is to blame', async () => {
    const decoder = new PageDecoder(async () => {
      const { port1, port2 } = new MessageChannel();
      port1.on('message', () => port1.close());
      return asPagePort(port2);
    });
    await expect(decoder.open(kennedy.wav, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    await expect(decoder.open(kennedy.mp3, never)).rejects.toBeInstanceOf(DecoderUnavailableError);
    await expect(decoder.open(kennedy.wav, never)).rejects.toMatchObject({ reason: 'broken' });
  });

  it.each([
    ['no message of ours', { kind: 'format-disk' }],
    ['samples that are none', { kind: 'samples', startSeconds: 0, sampleRate: 0, channels: 1, samples: [] }],
    ['an answer to another question', { kind: 'end' }],
  ])('says %s', async (_, words) => {
    const decoder = new PageDecoder(scripted((_message, say) => say(words)));
    await expect(decoder.open(kennedy.wav, never)).rejects.toThrow(Error);
  });

  it.each([
    ['more than can be held', 0, 2 ** 40],
    ['backwards', 100, 0],
  ])('wants to read %s: it may not', async (_, start, end) => {
    const decoder = new PageDecoder(
      scripted((message, say) => {
        if (message.kind === 'open') say({ kind: 'read', request: 1, start, end });
        if (message.kind === 'read-failed')
          say({ kind: 'failed', reason: 'broken', message: message.message });
        if (message.kind === 'bytes') say(opened);
      }),
    );
    await expect(decoder.open(kennedy.wav, never)).rejects.toMatchObject({ reason: 'broken' });
  });

  it('reads beyond the end: it gets what there is', async () => {
    const lengths: number[] = [];
    const decoder = new PageDecoder(
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
