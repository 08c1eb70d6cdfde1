import { AudioSampleSink, EncodedPacketSink, type InputAudioTrack } from 'mediabunny';

/** Seconds of audio per measured level. */
const blockSeconds = 0.02;
/** Long recordings are sampled: one window of this many seconds in each period of at least `minPeriodSeconds`. */
const windowSeconds = 0.15;
const minPeriodSeconds = 1;
/** Seconds that the decoder needs before a window to warm up. */
const warmUpSeconds = 0.08;
/** Maximum packets in the decoder's queue. */
const maxQueuedPackets = 64;

/** The level of a short block of audio. */
export interface PeakLevel {
  /** Seconds from the start of the range. */
  readonly from: number;
  readonly to: number;
  /** The peak level, 0 to 1. */
  readonly level: number;
}

/** A range of a track to measure, in seconds of the track. */
export interface MeasuredRange {
  readonly start: number;
  readonly end: number;
  /** How much of it to decode, 0 to 1, in windows spread evenly over the range. */
  readonly fraction: number;
  /** Whether the file has an index of its packets, so that skipped packets need not be read. */
  readonly isIndexed: boolean;
}

interface AudioBlock {
  readonly numberOfFrames: number;
  readonly sampleRate: number;
  copyTo(destination: Float32Array, options: { format: 'f32-planar'; planeIndex: number }): void;
  close(): void;
}

/** Measures the loudness of a range of a track; what cannot be decoded counts as silence. */
export async function measureLoudness(
  track: InputAudioTrack,
  range: MeasuredRange,
): Promise<{ readonly seconds: number; readonly loudness: readonly PeakLevel[] }> {
  const meter = new LoudnessMeter();
  const scan = new LoudnessScan(track, range, meter);
  // PCM has no packets to skip, and costs nothing to decode.
  const isCompressed = (await track.getCodec())?.startsWith('pcm-') !== true;
  try {
    if (range.fraction >= 1) await scan.decodeAll();
    else if (isCompressed) await scan.decodePackets();
    else await scan.decodeWindows();
  } catch {
    // What follows a damaged position is measured with the next slice.
  }
  return { seconds: scan.seconds, loudness: meter.loudness };
}

/** Decodes a range of a track, or windows of it, for the meter. */
class LoudnessScan {
  /** Seconds from the start of the range up to which it was measured. */
  seconds = 0;
  readonly #track: InputAudioTrack;
  readonly #range: MeasuredRange;
  readonly #meter: LoudnessMeter;
  readonly #period: number;

  constructor(track: InputAudioTrack, range: MeasuredRange, meter: LoudnessMeter) {
    this.#track = track;
    this.#range = range;
    this.#meter = meter;
    this.#period = Math.max(minPeriodSeconds, windowSeconds / range.fraction);
  }

  /** Decodes the whole range. */
  async decodeAll(): Promise<void> {
    await this.#decode(this.#range.start, this.#range.end);
  }

  /** Reads and decodes only the windows. */
  async decodeWindows(): Promise<void> {
    const { start, end, fraction } = this.#range;
    const last = Math.min(end, await this.#track.computeDuration());
    for (let at = start; at < last; at += this.#period) {
      await this.#decode(at, Math.min(last, at + fraction * this.#period));
    }
    this.seconds = Math.max(this.seconds, last - start);
  }

  async #decode(from: number, to: number): Promise<void> {
    const { start } = this.#range;
    for await (const sample of new AudioSampleSink(this.#track).samples(from, to)) {
      this.seconds = sample.timestamp + sample.duration - start;
      this.#meter.add(sample, sample.timestamp - start);
    }
  }

  /** Decodes the packets of the windows and skips the others. */
  async decodePackets(): Promise<void> {
    const { start, end, fraction, isIndexed } = this.#range;
    const config = await this.#track.getDecoderConfig();
    const packets = new EncodedPacketSink(this.#track);
    let packet = (await packets.getPacket(start)) ?? (await packets.getFirstPacket());
    if (config === null) return;
    // Times of the packets being decoded, because Chromium reports those of decoded audio as if nothing had been skipped.
    const packetTimes: number[] = [];
    const decoder = new AudioDecoder({
      output: (audio) => {
        const at = packetTimes.shift() ?? this.seconds;
        if (this.#offsetInPeriod(at) >= warmUpSeconds) this.#meter.add(audio, at);
        else audio.close();
      },
      // The next call on the decoder throws; the event wakes the loop below.
      error: () => decoder.dispatchEvent(new Event('dequeue')),
    });
    try {
      decoder.configure(config);
      while (packet !== null && packet.timestamp < end) {
        const at = packet.timestamp - start;
        this.seconds = at + packet.duration;
        if (this.#offsetInPeriod(at) <= warmUpSeconds + fraction * this.#period) {
          packetTimes.push(at);
          decoder.decode(packet.toEncodedAudioChunk());
          while (decoder.decodeQueueSize > maxQueuedPackets) {
            await new Promise((resolve) => decoder.addEventListener('dequeue', resolve, { once: true }));
          }
        } else if (isIndexed) {
          const next = await packets.getPacket(start + at - this.#offsetInPeriod(at) + this.#period);
          if (next !== null && next.timestamp > packet.timestamp) {
            packet = next;
            continue;
          }
        }
        packet = await packets.getNextPacket(packet);
      }
      await decoder.flush();
    } finally {
      if (decoder.state !== 'closed') decoder.close();
    }
  }

  #offsetInPeriod(seconds: number): number {
    return Math.max(0, seconds) % this.#period;
  }
}

/** Measures audio block by block. One channel is enough for a waveform. */
class LoudnessMeter {
  readonly loudness: PeakLevel[] = [];
  #frames = new Float32Array(0);

  /** Measures a block that starts at a time in seconds, and closes it. */
  add(audio: AudioBlock, atSeconds: number): void {
    const { numberOfFrames: count, sampleRate } = audio;
    if (this.#frames.length < count) this.#frames = new Float32Array(count);
    audio.copyTo(this.#frames.subarray(0, count), { format: 'f32-planar', planeIndex: 0 });
    audio.close();
    const blockFrames = Math.max(1, Math.round(blockSeconds * sampleRate));
    for (let first = 0; first < count; first += blockFrames) {
      const last = Math.min(count, first + blockFrames);
      let level = 0;
      for (let at = first; at < last; at += 1) {
        const value = Math.abs(this.#frames[at] ?? 0);
        if (value > level) level = value;
      }
      this.loudness.push({ from: atSeconds + first / sampleRate, to: atSeconds + last / sampleRate, level });
    }
  }
}
