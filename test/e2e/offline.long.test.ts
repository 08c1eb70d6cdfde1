import { expect, it, onTestFinished } from 'vitest';
import type { QueueView } from '../../electron/contract/queue-commands.ts';
import { systemClock } from '../../electron/core/system.ts';
import { dropFiles } from '../support/built-program.ts';
import { putSilentRecording } from '../support/speech/quick-speech.ts';
import { ScriptedService } from '../support/scripted-service/scripted-service.ts';
import { useProgram } from '../support/use-program.ts';

const program = useProgram('each');

it('recordings dropped while offline wait for the network and start automatically', async () => {
  const { page } = program;
  const service = await ScriptedService.start({ clock: systemClock, partBytes: 1024 ** 2 });
  onTestFinished(() => service.stop());
  await program.button('Start').click();
  await program.connect(service);
  await service.stopListening();

  const names = ['one.wav', 'three.wav', 'fifteen.wav'];
  const paths = [];
  for (const name of names) paths.push(await putSilentRecording(program.path(), name));
  await dropFiles(page, paths);
  await program.button('Start 3 recordings').click();
  await page
    .getByRole('status')
    .filter({ hasText: /^No connection\. Its recordings resume automatically/ })
    .waitFor();
  const response = await program.invoke('queue.setViewport', { filter: 'all', offset: 0, limit: 100 });
  const { rows } = (response as { value: QueueView }).value;
  expect(rows.map(({ state, attempts }) => [state.kind, attempts])).toEqual(
    names.map(() => [expect.stringMatching(/^(waiting|creating)$/), 0]),
  );

  await service.startListening();
  for (const name of names) await program.button(`Open: ${name}`).waitFor({ timeout: 120_000 });
  await expect.poll(() => page.getByText('No connection.').count()).toBe(0);
  expect(service.account.jobs.size).toBe(3);
  expect(service.violations).toEqual([]);
});
