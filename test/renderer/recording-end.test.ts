import { BufferSource, FLAC, Input, type InputAudioTrack } from 'mediabunny';
import { expect, test } from 'vitest';
import { endTimeOf } from '../../renderer/decoder/recording.ts';
import { silentFlac } from '../support/speech/silent-flac.ts';

async function trackOf(file: Buffer): Promise<InputAudioTrack> {
  const track = await new Input({ formats: [FLAC], source: new BufferSource(file) }).getPrimaryAudioTrack();
  if (track === null) throw new Error('There is no audio.');
  return track;
}

test.each([0.1, 1, 10, 24])(
  'the end of %d hours equals the duration that mediabunny computes',
  async (hours) => {
    const { file, seconds } = silentFlac(hours);
    const end = await endTimeOf(await trackOf(file), FLAC);
    expect(end).toBeCloseTo(await (await trackOf(file)).computeDuration(), 3);
    expect(Math.abs(end - seconds)).toBeLessThan(10);
  },
);

test('finding the end of a long file does not block the page, and can be cancelled', async () => {
  const track = await trackOf(silentFlac(24).file);
  const closing = new AbortController();
  const ending = endTimeOf(track, FLAC, closing.signal);
  // A scan without a pause would see the signal only at its end.
  setTimeout(() => closing.abort(new Error('closed')));
  await expect(ending).rejects.toThrow('closed');
});
