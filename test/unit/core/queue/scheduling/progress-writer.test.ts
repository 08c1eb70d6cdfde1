import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ProgressWriter } from '../../../../../electron/core/queue/scheduling/progress-writer.ts';
import { systemRandom } from '../../../../../electron/core/system.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { newLink, openStore } from '../../store/store-kit.ts';

it('no file is wanted beside a link', async () => {
  const store = openStore(join(await testFolder(), 'data'));
  onTestFinished(() => store.close());
  const [id = -1] = store.items.add([newLink('https://example.com/talk.mp3')]);
  const writer = new ProgressWriter({
    store,
    clock: new ManualClock(),
    random: systemRandom,
    wantedOfAll: () => [
      { format: 'txt', folder: null },
      { format: 'srt', folder: '/texts' },
    ],
  });
  const transcript = { language: 'en', text: 'Hello.', segments: [] };
  const job = {
    status: 'completed',
    progress: 1,
    transcript,
    durationSeconds: 1,
    creditsCharged: 0,
    error: null,
  };
  writer.apply(id, { kind: 'begin', ticket: { key: 'key', body: '{}' } });
  writer.apply(id, {
    kind: 'created',
    created: { jobId: 'job', session: null },
    source: 'link',
    pollAfterMs: null,
  });
  expect(writer.apply(id, { kind: 'job-told', job, pollAfterMs: null }).saved).toBe(true);
  expect(store.items.get(id)?.state.kind).toBe('done');
  expect(store.wantedFiles.of(id).map(({ folder }) => folder)).toEqual(['/texts']);
});
