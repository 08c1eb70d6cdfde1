import { expect, it, vi } from 'vitest';
import { commands } from '../../../../electron/contract/commands.ts';
import type { Handlers } from '../../../../electron/shell/commands/handlers.ts';
import { answerCommands } from '../../../../electron/shell/commands/ipc.ts';

vi.mock('electron', () => ({}));

const ignore = (): void => undefined;

it('refuses more calls of a command than may be in progress, and accepts others', async () => {
  const pending: PromiseWithResolvers<undefined>[] = [];
  const handlers = {
    'service.connect': () => {
      const call = Promise.withResolvers<undefined>();
      pending.push(call);
      return call.promise;
    },
    'app.info': () => 'info',
  } as unknown as Handlers<typeof commands>;
  const mainFrame = { parent: null, url: 'app://longhand/index.html' };
  const sender = { mainFrame } as unknown as Electron.WebContents;
  const logger = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const answer = answerCommands(sender, handlers, logger);
  const send = (name: string, input: unknown): Promise<unknown> =>
    answer({ sender, senderFrame: mainFrame } as never, name, input);
  const connect = (): Promise<unknown> =>
    send('service.connect', { baseUrl: 'https://service.example', use: false });

  const limit = commands['service.connect'].maxConcurrentCalls;
  const accepted = Array.from({ length: limit }, connect);
  const surplus = connect();
  expect(pending).toHaveLength(limit);
  expect(await surplus).toMatchObject({ ok: false });
  expect(await send('app.info', undefined)).toMatchObject({ ok: true });
  const refused = { ok: false, problem: { code: 'input_refused' } };
  expect(await send('app.info', { unknown: 1 })).toMatchObject(refused);
  for (const call of pending) call.resolve(undefined);
  expect(await Promise.all(accepted)).toHaveLength(limit);
  const later = connect();
  pending.at(-1)?.resolve(undefined);
  expect(await later).toMatchObject({ ok: true });
});
