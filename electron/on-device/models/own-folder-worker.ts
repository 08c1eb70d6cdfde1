/** The thread that looks into a folder of the user: on a drive that does not respond, it blocks instead of its caller. */
import { join } from 'node:path';
import { serveWorker } from '../../workers/worker-server.ts';
import { sizeOf } from './model-files.ts';
import { inspectOwnModel, type OwnModel } from './own-model.ts';

const handlers = {
  /** See {@link inspectOwnModel}. */
  speechModel: (folder: string): OwnModel => inspectOwnModel(folder),
  /** Returns those of the paths at which the folder has no file. */
  missingFiles: ({ folder, paths }: { readonly folder: string; readonly paths: readonly string[] }) =>
    paths.filter((path) => sizeOf(join(folder, path)) === 0),
};
export type OwnFolderHandlers = typeof handlers;

serveWorker(handlers);
