import {
  EncodedPacketSink,
  MATROSKA,
  MPEG_TS,
  WEBM,
  type AudioSample,
  type EncodedPacket,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
} from 'mediabunny';

/** Formats whose packets have times of their own. In others a packet starts where the previous one ends. */
const formatsWithTimes: ReadonlySet<InputFormat> = new Set([MATROSKA, WEBM, MPEG_TS]);
/** How much earlier than their packets samples may be before the difference is a gap; times are rounded, and vary. */
const minGapSeconds = 0.1;
/** Minimum seconds of a gap in which something is lost: silence that a program left out is shorter. */
const minLostSeconds = 1;
const metadataOnly = { metadataOnly: true } as const;

/** A time without packets, in seconds of the track. */
export interface PacketGap {
  /** In the times of decoded samples, which are earlier than those of packets by the smaller gaps before it. */
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the gaps between the packets of a track. The decoder does not see them: it derives each time from the end of the
 * previous packet, so that what follows a gap would come too early.
 */
export class GapFinder {
  readonly #packets: AsyncGenerator<EncodedPacket, void>;
  /** The latest time of a packet. */
  #lastTime: number | null = null;
  /** How much earlier than their packets samples are by now, in seconds. */
  #lead = 0;
  #gap: PacketGap | null = null;
  #isAtEnd = false;

  private constructor(packets: AsyncGenerator<EncodedPacket, void>) {
    this.#packets = packets;
  }

  /** @param position where to start, in seconds; the start of the track if it is absent */
  static async from(
    track: InputAudioTrack,
    format: InputFormat,
    position: number | undefined,
  ): Promise<GapFinder | null> {
    if (!formatsWithTimes.has(format)) return null;
    const sink = new EncodedPacketSink(track);
    const first = position === undefined ? undefined : await sink.getPacket(position, metadataOnly);
    return new GapFinder(sink.packets(first ?? undefined, undefined, metadataOnly));
  }

  /**
   * Returns the first gap from the start, if it starts before the middle of a sample.
   *
   * @param packetSeconds the duration of a packet
   */
  async before(
    sample: Pick<AudioSample, 'timestamp' | 'duration'>,
    packetSeconds: number,
  ): Promise<PacketGap | null> {
    const middle = sample.timestamp + sample.duration / 2;
    while (this.#gap === null && !this.#isAtEnd && (this.#lastTime ?? -Infinity) - this.#lead < middle) {
      await this.#readNext(packetSeconds);
    }
    return this.#gap !== null && this.#gap.start < middle ? this.#gap : null;
  }

  async #readNext(packetSeconds: number): Promise<void> {
    // What cannot be read is found by the decoder.
    const next = await this.#packets.next().catch(() => null);
    if (next === null || next.done === true) {
      this.#isAtEnd = true;
      return;
    }
    const { timestamp } = next.value;
    const lastTime = this.#lastTime ?? timestamp - packetSeconds;
    const lead = Math.max(0, this.#lead + timestamp - (lastTime + packetSeconds));
    if (lead > minGapSeconds && timestamp > lastTime)
      this.#gap = { start: lastTime + packetSeconds - this.#lead, end: timestamp };
    this.#lead = lead;
    this.#lastTime = Math.max(lastTime, timestamp);
  }

  async close(): Promise<void> {
    await this.#packets.return().catch(() => undefined);
  }
}

/** Whether what was recorded during a gap is lost: a program may have left out silence, but then the video continues. */
export async function isLost({ start, end }: PacketGap, video: InputVideoTrack | null): Promise<boolean> {
  if (end - start < minLostSeconds) return false;
  if (video === null) return true;
  const middle = (start + end) / 2;
  const frame = await new EncodedPacketSink(video).getPacket(middle, metadataOnly).catch(() => null);
  return frame === null || frame.timestamp <= start;
}
