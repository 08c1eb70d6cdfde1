import { AudioSampleSink, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';

/** Seconds whose loudness is told as one. */
const grainSeconds = 0.02;
/** Where not all is heard: a part of each so many seconds, after some that the decoder needs to find into it. */
const periodSeconds = 2;
const warmUpSeconds = 0.08;
/** Packets that wait for the decoder at most. */
const mostWaiting = 64;

/** How loud a moment is. */
export interface Loudness {
  /** Seconds from the beginning of the stretch. */
  readonly from: number;
  readonly to: number;
  /** The loudest, 0 to 1. */
  readonly level: number;
}

/** What is heard of a track, in seconds of it. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
  /** How much of it is decoded, 0 to 1, in samples from all of it. */
  readonly share: number;
}

interface Sound {
  readonly numberOfFrames: number;
  readonly sampleRate: number;
  copyTo(destination: Float32Array, options: { format: 'f32-planar'; planeIndex: number }): void;
  close(): void;
}

/** Hears a stretch of a track; places that cannot be decoded are silent. */
export async function loudnessOf(
  track: InputAudioTrack,
  stretch: Stretch,
): Promise<{ readonly seconds: number; readonly loudness: readonly Loudness[] }> {
  const { start, end, share } = stretch;
  const meter = new LoudnessMeter();
  let seconds = 0;
  // What was never coded costs nothing to decode.
  const isCoded = (await track.getCodec())?.startsWith('pcm-') !== true;
  try {
    if (isCoded && share < 1) seconds = await hearSome(track, stretch, meter);
    else {
      for await (const sample of new AudioSampleSink(track).samples(start, end)) {
        meter.add(sample, sample.timestamp - start);
        seconds = sample.timestamp + sample.duration - start;
      }
    }
  } catch {
    // What comes after a damaged place is seen when the next slice is heard.
  }
  return { seconds, loudness: meter.loudness };
}

/** Decodes some packets of a stretch and passes over the others. Returns the length of all, in seconds. */
async function hearSome(
  track: InputAudioTrack,
  { start, end, share }: Stretch,
  meter: LoudnessMeter,
): Promise<number> {
  const config = await track.getDecoderConfig();
  const packets = new EncodedPacketSink(track);
  const first = (await packets.getPacket(start)) ?? (await packets.getFirstPacket());
  if (config === null || first === null) return 0;
  let seconds = 0;
  // Chromium tells the times of sound as if nothing had been passed over.
  const decoding: number[] = [];
  const decoder = new AudioDecoder({
    output: (sound) => {
      const at = decoding.shift() ?? seconds;
      if (placeIn(at) >= warmUpSeconds) meter.add(sound, at);
      else sound.close();
    },
    // The next call of it fails; who waits for it is woken.
    error: () => decoder.dispatchEvent(new Event('dequeue')),
  });
  try {
    decoder.configure(config);
    for await (const packet of packets.packets(first)) {
      if (packet.timestamp >= end) break;
      seconds = packet.timestamp + packet.duration - start;
      if (placeIn(packet.timestamp - start) > warmUpSeconds + share * periodSeconds) continue;
      decoding.push(packet.timestamp - start);
      decoder.decode(packet.toEncodedAudioChunk());
      while (decoder.decodeQueueSize > mostWaiting) {
        await new Promise((taken) => decoder.addEventListener('dequeue', taken, { once: true }));
      }
    }
    await decoder.flush();
  } finally {
    if (decoder.state !== 'closed') decoder.close();
  }
  return seconds;
}

const placeIn = (seconds: number): number => Math.max(0, seconds) % periodSeconds;

/** Measures sound as it comes; one channel is enough to see where there is any. */
class LoudnessMeter {
  readonly loudness: Loudness[] = [];
  #frames = new Float32Array(0);

  /** Takes sound that begins at a time, in seconds, and lets go of it. */
  add(sound: Sound, atSeconds: number): void {
    const { numberOfFrames: count, sampleRate } = sound;
    if (this.#frames.length < count) this.#frames = new Float32Array(count);
    sound.copyTo(this.#frames.subarray(0, count), { format: 'f32-planar', planeIndex: 0 });
    sound.close();
    const grain = Math.max(1, Math.round(grainSeconds * sampleRate));
    for (let first = 0; first < count; first += grain) {
      const last = Math.min(count, first + grain);
      let level = 0;
      for (let at = first; at < last; at += 1) {
        const value = Math.abs(this.#frames[at] ?? 0);
        if (value > level) level = value;
      }
      this.loudness.push({ from: atSeconds + first / sampleRate, to: atSeconds + last / sampleRate, level });
    }
  }
}
