import { expect, it } from 'vitest';
import { ModelSpeeds, RecordingSpeedMeter } from '../../../../electron/on-device/processing/speech-speed.ts';
import { ManualClock } from '../../../support/clocks/manual-clock.ts';

/** The work of a recording of two windows of 30 seconds, each transcribed in 2 seconds. */
function shortRecording() {
  const clock = new ManualClock();
  const meter = new RecordingSpeedMeter(clock);
  clock.advance(2000);
  meter.record(30);
  clock.advance(2000);
  meter.record(60);
  return meter.measurement();
}

it('measures a speed with several short recordings of one model', () => {
  const speeds = new ModelSpeeds();
  expect(speeds.add('tiny', shortRecording())).toBeNull();
  expect(speeds.add('small', shortRecording())).toBeNull();
  expect(speeds.add('tiny', shortRecording())).toBe(15);
  // The next result is of newer work only.
  expect(speeds.add('tiny', shortRecording())).toBeNull();
});

it('says nothing about the speed of a single window, which includes loading the model', () => {
  const clock = new ManualClock();
  const meter = new RecordingSpeedMeter(clock);
  clock.advance(2000);
  meter.record(600);
  expect(new ModelSpeeds().add('tiny', meter.measurement())).toBeNull();
});
