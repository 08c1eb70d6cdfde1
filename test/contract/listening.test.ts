import { expect, it, onTestFinished } from 'vitest';
import { ScriptedCore } from '../support/scripted-service/scripted-core.ts';

it('the queue pauses when listeners cannot read what has finished, and resumes', async () => {
  const core = await ScriptedCore.start();
  onTestFinished(() => core.close());
  let notifications = 0;
  core.longhand.listen({
    changed: (id) => {
      if (id === null || core.row().state.kind !== 'done') return;
      notifications += 1;
      // The first notification comes while the item is still being processed, the second one after that.
      if (notifications === 2) throw new Error('disk I/O error');
    },
  });
  await core.addFile('talk.wav');
  expect(await core.advanceUntil(() => notifications === 2)).toBe(true);
  expect(core.status().condition.kind).toBe('stopped');
  expect(await core.advanceUntil(() => core.status().condition.kind === 'ready')).toBe(true);
});
