import { onTestFinished } from 'vitest';
import type { CommandLineSystem, ForwardedRecordings } from '../../electron/cli/command-line-system.ts';
import type { ServiceAddress } from '../../electron/contract/service.ts';
import { defaultJobOptions } from '../../electron/contract/options.ts';
import { acceleratedClock, type CommandLine } from './command-line-here.ts';
import { openCore } from './core.ts';
import { defaultAutoExports } from '../../electron/core/library/export/auto-export-writer.ts';
import { addRequested } from '../../electron/core/queue/adding/add-requested.ts';

/** A window's core on the data folder of a command line, with its end of the hand-over. */
export function openWindow(line: CommandLine, service: ServiceAddress = 'on-device') {
  const longhand = openCore(line.dataFolder, {
    program: 'window',
    clock: acceleratedClock,
    defaultAutoExports: (chosen) =>
      defaultAutoExports({ autoExportFormats: ['txt'], autoExportFolder: null }, chosen),
  });
  onTestFinished(() => longhand.close());
  const taken = Promise.withResolvers<void>();
  let isWithdrawn = false;
  const forwardToWindow: CommandLineSystem['forwardToWindow'] = (recordings, choices) => {
    let reply: ReturnType<ForwardedRecordings['takeReply']> = null;
    void addRequested(longhand, {
      ...recordings,
      service: choices.service ?? service,
      options: { ...defaultJobOptions, ...choices.options },
      exports: choices.exports,
      again: choices.again,
      signal: new AbortController().signal,
      isPersisted: true,
    }).then((added) => {
      reply = added;
      void longhand.writeAutoExports();
      return taken.resolve();
    });
    return { takeReply: () => reply, withdraw: () => void (isWithdrawn = true) };
  };
  return {
    longhand,
    forwardToWindow,
    start(): void {
      longhand.services.openOnDevice(line.service.baseUrl, line.service.key);
      longhand.start();
    },
    /** Resolves once the recordings are stored. */
    taken: taken.promise,
    isWithdrawn: () => isWithdrawn,
  };
}
