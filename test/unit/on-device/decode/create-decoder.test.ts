import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { DecodeFailure } from '../../../../electron/contract/decoder-protocol.ts';
import { createDecoder } from '../../../../electron/on-device/decode/create-decoder.ts';
import {
  DecodeError,
  DecoderUnavailableError,
  type DecodedRecording,
} from '../../../../electron/on-device/decode/decoder.ts';
import { FfmpegDecoder } from '../../../../electron/on-device/decode/ffmpeg-decoder.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';
import { asPagePort, connectPage } from '../../../support/speech/page-in-process.ts';
import {
  collectSamples,
  kennedy,
  noise,
  readWav,
  sampleRate,
  wavFile,
} from '../../../support/speech/speech-audio.ts';

const never = new AbortController().signal;
const hasFfmpeg = spawnSync('ffmpeg', ['-version']).status === 0;
const decoderUrl = new URL('../../../../electron/on-device/decode/ffmpeg-decoder.ts', import.meta.url);
const noFfmpeg = 'there-is-no-such-ffmpeg';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'longhand-ffmpeg-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function fileOf(name: string, contents: Uint8Array): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, contents);
  return path;
}

/** AIFF is big-endian PCM in a container that browsers do not support; its sample rate is an 80-bit float. */
function aiffFile(samples: Float32Array): Buffer {
  const data = Buffer.alloc(samples.length * 2);
  samples.forEach((sample, i) => data.writeInt16BE(Math.round(sample * 32_767), i * 2));
  const common = Buffer.alloc(26);
  common.write('COMM', 0);
  common.writeUInt32BE(18, 4);
  common.writeUInt16BE(1, 8);
  common.writeUInt32BE(samples.length, 10);
  common.writeUInt16BE(16, 14);
  common.writeUInt16BE(16_383 + 13, 16);
  common.writeUInt32BE(sampleRate * 2 ** 18, 18);
  const sound = Buffer.alloc(16);
  sound.write('SSND', 0);
  sound.writeUInt32BE(data.length + 8, 4);
  const form = Buffer.alloc(12);
  form.write('FORM', 0);
  form.writeUInt32BE(4 + common.length + sound.length + data.length, 4);
  form.write('AIFF', 8);
  return Buffer.concat([form, common, sound, data]);
}

/** A WAV file of 32-bit floats. */
function floatWav(samples: Float32Array): Buffer {
  const header = wavFile(new Float32Array(0));
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  header.writeUInt32LE(header.length - 8 + data.length, 4);
  header.writeUInt16LE(3, 20);
  header.writeUInt32LE(sampleRate * 4, 28);
  header.writeUInt16LE(4, 32);
  header.writeUInt16LE(32, 34);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

/** An element of Matroska; its size takes five bytes. */
function element(id: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const size = Buffer.alloc(5, 0x08);
  size.writeUInt32BE(content.length, 1);
  return Buffer.concat([Buffer.from(id, 'hex'), size, content]);
}

/** An unsigned integer of Matroska. */
function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A Matroska file with a millisecond of 16-bit PCM at 8 kHz at each of these times, in the order given. */
function matroskaFile(startsMs: readonly number[]): Buffer {
  const rate = Buffer.alloc(8);
  rate.writeDoubleBE(8000);
  const audio = element('e1', element('b5', rate), element('9f', number(1)), element('6264', number(16)));
  const track = element(
    'ae',
    element('d7', number(1)),
    element('73c5', number(1)),
    element('83', number(2)),
    element('86', Buffer.from('A_PCM/INT/LIT')),
    audio,
  );
  const block = element('a3', Buffer.from([0x81, 0, 0, 0x80]), Buffer.alloc(16, 1));
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from('matroska')), element('4287', number(4))),
    element(
      '18538067',
      element('1549a966', element('2ad7b1', number(1_000_000))),
      element('1654ae6b', track),
      ...startsMs.map((ms) => element('1f43b675', element('e7', number(ms)), block)),
    ),
  ]);
}

/** What a recording of floats may contain, and what the models get. */
const oddSamples = Float32Array.of(0.5, NaN, Infinity, -Infinity, 1e38, -1e38, 1.5, -0.25);
const speechSamples = [0.5, 0, 0, 0, 8, -8, 1.5, -0.25];

function samplesOf(recording: DecodedRecording): Promise<Float32Array> {
  return collectSamples(recording.samples());
}

describe('without ffmpeg', () => {
  const decoder = createDecoder({ connectPage, ffmpeg: noFfmpeg });

  it('opens recordings that the page can decode', async () => {
    const recording = await decoder.open(kennedy.wav, never);
    expect((await samplesOf(recording)).length).toBe(kennedy.seconds * sampleRate);
    await recording.close();
  });

  it('passes on only finite samples of a bounded level', async () => {
    const recording = await decoder.open(await fileOf('odd.wav', floatWav(oddSamples)), never);
    expect([...(await samplesOf(recording))]).toEqual(speechSamples);
    await recording.close();
  });

  it('adds no silence beyond the stated duration, whatever the times of a small file', async () => {
    const times = [...Array.from({ length: 10 }, (_, i) => 60_000 * i), 1000];
    const recording = await decoder.open(await fileOf('times.mkv', matroskaFile(times)), never);
    expect(recording.durationSeconds).toBe(1);
    expect((await samplesOf(recording)).length / sampleRate).toBeCloseTo(1, 1);
    await recording.close();
  });

  it('gives up a recording with more sound than any may have', async () => {
    const limited = createDecoder({ connectPage, ffmpeg: noFfmpeg, maxSeconds: kennedy.seconds - 1 });
    const recording = await limited.open(kennedy.wav, never);
    await expect(samplesOf(recording)).rejects.toMatchObject({ name: 'DecodeError', reason: 'broken' });
    await recording.close();
  });

  it('rejects other recordings and suggests installing ffmpeg', async () => {
    const path = await fileOf('refused.aiff', aiffFile(noise(1)));
    await expect(decoder.open(path, never)).rejects.toMatchObject({
      reason: 'unknown-container',
      message:
        'This is not a kind of recording that Longhand can read on its own. Install ffmpeg and try again.',
    });
  });

  it.each([
    ['unsupported-codec', 'It uses ALAC sound.', 'It uses ALAC sound. Install ffmpeg and try again.'],
    ['broken', 'It is damaged.', 'It is damaged.'],
    ['no-audio', 'It has no sound.', 'It has no sound.'],
  ] satisfies [DecodeFailure, string, string][])(
    'passes on the reason %s of the page',
    async (reason, said, message) => {
      const refusing = createDecoder({
        connectPage: async () => {
          const { port1, port2 } = new MessageChannel();
          port1.on('message', () => port1.postMessage({ kind: 'failed', reason, message: said }));
          port2.on('close', () => port1.close());
          return asPagePort(port2);
        },
        ffmpeg: noFfmpeg,
      });
      await expect(refusing.open(kennedy.wav, never)).rejects.toMatchObject({ reason, message });
    },
  );
});

describe.skipIf(!hasFfmpeg)('with ffmpeg (skipped when it is not installed)', () => {
  const decoder = createDecoder({ connectPage });

  it('opens recordings that the page cannot decode', async () => {
    const speech = readWav(kennedy.wav);
    const recording = await decoder.open(await fileOf('jfk.aiff', aiffFile(speech)), never);
    expect(recording.durationSeconds).toBeNull();
    expect(recording.hasVideo).toBe(false);
    const samples = await samplesOf(recording);
    expect(samples.length).toBe(speech.length);
    speech.forEach((sample, i) => expect(Math.abs(sample - samples[i]!)).toBeLessThan(0.001));
    await recording.close();
    await recording.close();
  });

  it('stops reading a long recording early', async () => {
    const recording = await decoder.open(await fileOf('long.aiff', aiffFile(noise(300))), never);
    for await (const chunk of recording.samples()) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await recording.close();
  });

  it('rejects a text file', async () => {
    const path = await fileOf('text.mp3', Buffer.from('This is a text and no recording.\n'.repeat(500)));
    await expect(decoder.open(path, never)).rejects.toMatchObject({
      reason: 'unknown-container',
      message: 'This file is not a recording that can be read.',
    });
  });

  it('does not follow a playlist', async () => {
    await fileOf('secret.aiff', aiffFile(noise(1)));
    const list = await fileOf('list.mp3', Buffer.from("ffconcat version 1.0\nfile 'secret.aiff'\n"));
    const playlist = await fileOf(
      'playlist.mp3',
      Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.aiff\n#EXT-X-ENDLIST\n'),
    );
    await expect(decoder.open(list, never)).rejects.toMatchObject({ name: 'DecodeError' });
    await expect(decoder.open(playlist, never)).rejects.toMatchObject({ name: 'DecodeError' });
  });

  it('aborts opening', async () => {
    const path = await fileOf('aborted.aiff', aiffFile(noise(1)));
    const abort = new AbortController();
    const reason = new Error('Not wanted.');
    const opening = decoder.open(path, abort.signal);
    abort.abort(reason);
    await expect(opening).rejects.toBe(reason);
  });
});

/** How a script hangs after its output: as itself, as a wrapper, and as one whose child has a process group of its own. */
const hanging = {
  directly: (output: string) => `${output}; exec sleep 600`,
  'in a child': (output: string) => `sleep 600 & ${output}; wait`,
  'in a child of another group': (output: string) =>
    `set -m; sleep 600 & echo $! > "$0.child"; ${output}; wait`,
} as const;

/** Whether a process is there and not a zombie. */
const isAlive = (pid: number): boolean =>
  !/^Z?$/.test(
    spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
      .stdout.toString()
      .trim()
      .charAt(0),
  );

it.skipIf(process.platform === 'win32')(
  'an ffmpeg that hangs is killed with its children when our process is killed',
  async () => {
    const path = await fileOf('endless.aiff', aiffFile(new Float32Array(sampleRate)));
    const script = '#!/bin/sh\nsleep 600 &\necho "$$ $!" > "$0.ids"\nwait\n';
    const ffmpeg = await fileOf('ffmpeg-of-killed', Buffer.from(script));
    await chmod(ffmpeg, 0o755);
    const program = `
      const { FfmpegDecoder } = await import(${JSON.stringify(decoderUrl.href)});
      const clock = { now: () => 0, schedule: () => () => undefined };
      const [, ffmpeg, path] = process.argv;
      await new FfmpegDecoder(ffmpeg, clock).open(path, new AbortController().signal);`;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program, ffmpeg, path], {
      stdio: 'inherit',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const ids = async (): Promise<readonly number[]> =>
      (await readFile(`${ffmpeg}.ids`, 'utf8').catch(() => '')).split(' ').filter(Boolean).map(Number);
    await expect.poll(ids, { timeout: 20_000 }).toHaveLength(2);
    const [leader = 0, child = 0] = await ids();
    onTestFinished(() => {
      for (const id of [leader, child]) if (isAlive(id)) process.kill(id, 'SIGKILL');
    });
    expect([leader, child].map(isAlive)).toEqual([true, true]);
    parent.kill('SIGKILL');
    await expect.poll(() => [leader, child].map(isAlive), { timeout: 10_000 }).toEqual([false, false]);
  },
);

/** Creates an ffmpeg that hangs once it has written `bytes`. */
async function hangingFfmpeg(how: keyof typeof hanging, bytes = 0): Promise<string> {
  const script = `#!/bin/bash\n${hanging[how](`head -c ${bytes} /dev/zero`)}\n`;
  const ffmpeg = await fileOf(`hanging-ffmpeg-${crypto.randomUUID()}`, Buffer.from(script));
  await chmod(ffmpeg, 0o755);
  onTestFinished(async () => {
    const child = await readFile(`${ffmpeg}.child`, 'utf8').catch(() => null);
    if (child !== null) process.kill(Number(child), 'SIGKILL');
  });
  return ffmpeg;
}

it
  .skipIf(process.platform === 'win32')
  .each(['directly', 'in a child', 'in a child of another group'] as const)(
  'aborting kills an ffmpeg that hangs %s',
  async (how) => {
    const ffmpeg = await hangingFfmpeg(how, 64_000);
    const abort = new AbortController();
    const decoder = createDecoder({ connectPage, ffmpeg });
    const path = await fileOf('still.aiff', aiffFile(new Float32Array(sampleRate)));
    const recording = await decoder.open(path, abort.signal);
    for await (const chunk of recording.samples()) {
      expect(chunk.length).toBeGreaterThan(0);
      abort.abort(new Error('Cancelled.'));
    }
    await recording.close();
  },
);

it.skipIf(process.platform === 'win32').each([
  ['at once', 'directly', 0],
  ['in the middle', 'directly', 64_000],
  ['at once', 'in a child', 0],
  ['in the middle', 'in a child of another group', 64_000],
] as const)('an ffmpeg that hangs %s %s is given up after two minutes', async (_when, how, bytes) => {
  const ffmpeg = await hangingFfmpeg(how, bytes);
  const clock = new ManualClock();
  const decoder = createDecoder({ connectPage, watchdog: { clock, onStuck: () => undefined }, ffmpeg });
  const path = await fileOf('hanging.aiff', aiffFile(new Float32Array(sampleRate)));
  const decoding = decoder.open(path, never).then(async (recording) => {
    try {
      return (await samplesOf(recording)).length;
    } finally {
      await recording.close();
    }
  });
  const outcome = decoding.catch((error: unknown) => error);
  const isSettled = (): Promise<boolean> =>
    Promise.race([
      outcome.then(() => true),
      new Promise<false>((resolve) => setTimeout(resolve, 100, false)),
    ]);
  // However far it has come meanwhile, it is asked for something for two minutes in the end.
  while (!(await isSettled())) clock.advance(60_000);
  expect(await outcome).toBeInstanceOf(DecodeError);
  expect(clock.nextAt).toBeNull();
});

it.skipIf(process.platform === 'win32')('only finite samples of ffmpeg are passed on', async () => {
  const output = await fileOf('odd-samples', Buffer.from(oddSamples.buffer));
  const ffmpeg = await fileOf('odd-ffmpeg', Buffer.from(`#!/bin/sh\ncat '${output}'\n`));
  await chmod(ffmpeg, 0o755);
  const path = await fileOf('odd.aiff', aiffFile(new Float32Array(sampleRate)));
  const recording = await createDecoder({ connectPage, ffmpeg }).open(path, never);
  expect([...(await samplesOf(recording))]).toEqual(speechSamples);
  await recording.close();
});

it.skipIf(process.platform === 'win32')('ffmpeg inherits no secrets from the environment', async () => {
  const seen = join(folder, 'environment');
  const ffmpeg = await fileOf(
    'curious-ffmpeg',
    Buffer.from(`#!/bin/sh\nenv > '${seen}'\nhead -c 64000 /dev/zero\n`),
  );
  await chmod(ffmpeg, 0o755);
  process.env['LONGHAND_API_KEY'] = 'secret-key';
  onTestFinished(() => void delete process.env['LONGHAND_API_KEY']);
  const path = await fileOf('curious.aiff', aiffFile(new Float32Array(sampleRate)));
  await (await createDecoder({ connectPage, ffmpeg }).open(path, never)).close();
  const environment = await readFile(seen, 'utf8');
  expect(environment).toMatch(/^PATH=/m);
  expect(environment).not.toContain('secret-key');
});

it.skipIf(process.platform === 'win32')(
  'a crash of ffmpeg in the middle is an error, not a shorter recording',
  async () => {
    const ffmpeg = await fileOf(
      'breaking-ffmpeg',
      Buffer.from('#!/bin/sh\nhead -c 64000 /dev/zero\nkill -9 $$\n'),
    );
    await chmod(ffmpeg, 0o755);
    const decoder = createDecoder({ connectPage, ffmpeg });
    const recording = await decoder.open(
      await fileOf('talk.aiff', aiffFile(new Float32Array(sampleRate))),
      never,
    );
    await expect(samplesOf(recording)).rejects.toMatchObject({ name: 'DecodeError', reason: 'broken' });
    await recording.close();
  },
);

const limitOfHandles = () =>
  spawnSync('prlimit', ['--pid', `${process.pid}`, '--nofile', '--noheadings', '--output', 'SOFT']);

it.skipIf(limitOfHandles().status !== 0)(
  'an ffmpeg for which there are no file handles is started later',
  async () => {
    const path = await fileOf('any.aiff', Buffer.from('FORM'));
    const command = `prlimit --pid ${process.pid} --nofile`;
    const soft = limitOfHandles().stdout.toString().trim();
    // Started before, since it could not be afterwards.
    const limiter = spawn('sh', ['-c', `${command}=3:; echo; read line; ${command}=${soft}:`]);
    await once(limiter.stdout, 'data');
    const opened = await new FfmpegDecoder('true', new ManualClock())
      .open(path, never)
      .catch((error: unknown) => error);
    limiter.stdin.end('\n');
    await once(limiter, 'exit');
    expect(opened).toBeInstanceOf(DecoderUnavailableError);
  },
);
