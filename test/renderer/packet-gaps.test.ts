import fc from 'fast-check';
import { BufferSource, Input, WEBM, WebMOutputFormat } from 'mediabunny';
import { expect, test } from 'vitest';
import { GapFinder } from '../../renderer/decoder/packet-gaps.ts';
import '../property-seed.ts';
import { opusFile, packetSeconds } from '../support/speech/opus-file.ts';

const packetCount = 400;
/** Times in a file are rounded to milliseconds. */
const rounding = 0.001;

/** When each packet is heard, in seconds, and the number of the packet, in the order in which they are heard. */
interface Heard {
  readonly packet: number;
  readonly seconds: number;
}

/** Plays a file like a decoder that adds up the durations of packets, starting again after each gap. */
async function play(file: Uint8Array, times: readonly number[]): Promise<readonly Heard[]> {
  const input = new Input({ formats: [WEBM], source: new BufferSource(file) });
  const track = await input.getPrimaryAudioTrack();
  if (track === null) throw new Error('There is no track.');
  const heard: Heard[] = [];
  let position: number | undefined;
  for (;;) {
    const gaps = await GapFinder.from(track, WEBM, position);
    const from = position ?? 0;
    const first = Math.max(
      0,
      times.findLastIndex((time) => time <= from + rounding),
    );
    let gapEnd: number | null = null;
    let seconds = times[first] ?? 0;
    for (let packet = first; packet < times.length && gapEnd === null; packet++) {
      const gap = await gaps?.before({ timestamp: seconds, duration: packetSeconds }, packetSeconds);
      if (gap) {
        gapEnd = gap.end;
        continue;
      }
      heard.push({ packet, seconds });
      seconds += packetSeconds;
    }
    await gaps?.close();
    if (gapEnd === null) return heard;
    position = Math.max(gapEnd, position ?? gapEnd);
  }
}

test('every packet is heard once, at its time', async () => {
  // Lost packets, silence that was left out with a packet now and then, and silence of seconds.
  const gap = fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    fc.constantFrom(packetSeconds, 3 * packetSeconds, 0.38),
    fc.double({ min: 0, max: 3, noNaN: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(gap, { minLength: packetCount, maxLength: packetCount }), async (lengths) => {
      let end = 0;
      const times = lengths.map((length) => {
        const start = end + length;
        end = start + packetSeconds;
        return start;
      });
      const file = await opusFile(packetCount, new WebMOutputFormat(), (packet) => times[packet] ?? 0);
      const heard = await play(file, times);
      expect(heard.map(({ packet }) => packet)).toStrictEqual(times.map((_, packet) => packet));
      const late = heard.filter(
        ({ packet, seconds }) => Math.abs(seconds - (times[packet] ?? 0)) > 0.1 + 2 * rounding,
      );
      expect(late).toStrictEqual([]);
    }),
    { numRuns: 20 },
  );
});
