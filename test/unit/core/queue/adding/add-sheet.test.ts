import { expect, it, onTestFinished } from 'vitest';
import { defaultJobOptions } from '../../../../../electron/contract/options.ts';
import { AddSheet } from '../../../../../electron/core/queue/adding/add-sheet.ts';
import { ManualClock } from '../../../../support/clocks/manual-clock.ts';
import { testFolder } from '../../../../support/test-folder.ts';
import { openStore } from '../../store/store-kit.ts';

it('shows stored paths that cannot be inspected as rejections with the reason', async () => {
  const store = openStore(await testFolder());
  onTestFinished(() => store.close());
  const { sheets } = store;
  sheets.add(sheets.open(defaultJobOptions), { paths: ['/season 9'], links: ['https://a.example/b.mp3'] });
  const batch = new AddSheet({
    clock: new ManualClock(),
    service: () => 'on-device',
    options: defaultJobOptions,
    findDuplicate: async () => null,
    // oxlint-disable-next-line require-yield -- it fails before it has found anything
    inspect: async function* () {
      throw new Error('the thread that examines recordings has ended');
    },
    probeDuration: async () => null,
    send: () => undefined,
    sheets,
    saved: sheets.load(),
    isPreferredCopy: () => false,
  });
  const rejected = () => batch.view({ group: 'rejected', offset: 0, limit: 9 }).rows;
  await expect.poll(() => rejected().map(({ name }) => name)).toEqual(['season 9', 'b.mp3']);
  expect(rejected()[0]?.problem).toMatchObject({
    code: 'internal',
    detail: expect.stringContaining('ended'),
  });
  batch.close();
});
