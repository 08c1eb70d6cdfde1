import { expect, it, onTestFinished } from 'vitest';
import { ProblemError } from '../../electron/contract/problem.ts';
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
      if (notifications === 2) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR' });
    },
  });
  await core.addFile('talk.wav');
  expect(await core.advanceUntil(() => notifications === 2)).toBe(true);
  expect(core.status().condition.kind).toBe('stopped');
  expect(await core.advanceUntil(() => core.status().condition.kind === 'ready')).toBe(true);
});

it('what a listener throws for another reason stops neither the queue nor other listeners', async () => {
  const core = await ScriptedCore.start();
  onTestFinished(() => core.close());
  const conditions = new Set<string>();
  let saved = 0;
  core.longhand.listen({
    changed: () => conditions.add(core.status().condition.kind),
    saved: () => {
      throw new ProblemError({ code: 'too_many_tags' });
    },
  });
  core.longhand.listen({ saved: () => (saved += 1) });
  await core.addFile('one.wav');
  await core.addFile('two.wav');
  expect(await core.advanceUntil(() => saved === 2)).toBe(true);
  expect([...conditions]).not.toContain('stopped');
});
