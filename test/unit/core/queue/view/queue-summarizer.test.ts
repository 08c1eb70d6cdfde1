import { expect, it, onTestFinished } from 'vitest';
import { QueueSummarizer } from '../../../../../electron/core/queue/view/queue-summarizer.ts';
import { TransferMeter } from '../../../../../electron/core/queue/scheduling/transfer-meter.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../../store/store-kit.ts';

it('reports the decaying rate after the last byte, and then nothing more', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const clock = new ManualClock();
  const meter = new TransferMeter(clock, () => undefined);
  const rates: number[] = [];
  const standing: QueueSummarizer = new QueueSummarizer({
    store,
    scheduler: { meter, status: () => expect.unreachable('nothing is unfinished') },
    waitReasons: { activity: () => 'running', isAccountRemoved: () => false },
    clock,
    onRateChange: () => look(),
  });
  const look = (): number => rates.push(standing.summary().bytesPerSecond);
  meter.startPart(1);
  meter.recordSent(1, 5_000_000);
  clock.advance(1000);
  meter.recordSent(1, 5_000_000);
  look();
  clock.advance(60_000);
  expect(rates).toEqual([2e6, 2e6, 2e6, 2e6, 1e6, 0]);
  expect(clock.nextAt).toBeNull();
});
