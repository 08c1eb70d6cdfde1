import {
  EncodedPacketSink,
  MATROSKA,
  MPEG_TS,
  WEBM,
  type EncodedPacket,
  type InputAudioTrack,
  type InputFormat,
  type InputVideoTrack,
} from 'mediabunny';

/** Formats whose packets have times of their own. In others a packet starts where the previous one ends. */
const formatsWithTimes: ReadonlySet<InputFormat> = new Set([MATROSKA, WEBM, MPEG_TS]);
/**
 * Minimum seconds between the starts of two packets that are a gap: longer than any packet, and shorter than the
 * 0.4 seconds at which programs send packets during silence.
 */
const minGapSeconds = 0.3;
/** Minimum seconds of a gap in which something is lost: silence that a program left out is shorter. */
const minLostSeconds = 1;
const metadataOnly = { metadataOnly: true } as const;

/** A time without packets, in seconds of the track. */
export interface PacketGap {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the gaps between the packets of a track. The decoder does not see them: it derives each time from the end of the
 * previous packet, so that what follows a gap would come too early.
 */
export class GapFinder {
  readonly #packets: AsyncGenerator<EncodedPacket, void>;
  #last: EncodedPacket | null = null;
  /** Seconds from one packet to the next. */
  #distance = minGapSeconds;
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

  /** Returns the first gap from the start, if it starts before a time in seconds. */
  async before(seconds: number): Promise<PacketGap | null> {
    while (this.#gap === null && !this.#isAtEnd && (this.#last?.timestamp ?? -Infinity) < seconds) {
      await this.#readNext();
    }
    return this.#gap !== null && this.#gap.start < seconds ? this.#gap : null;
  }

  async #readNext(): Promise<void> {
    // What cannot be read is found by the decoder.
    const next = await this.#packets.next().catch(() => null);
    if (next === null || next.done === true) {
      this.#isAtEnd = true;
      return;
    }
    const packet = next.value;
    if (this.#last !== null) {
      const distance = packet.timestamp - this.#last.timestamp;
      if (distance > minGapSeconds)
        this.#gap = { start: this.#last.timestamp + this.#distance, end: packet.timestamp };
      else this.#distance = distance;
    }
    this.#last = packet;
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
