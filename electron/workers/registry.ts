/** All worker threads. The key names the thread and its built file; the value is its source below `electron/`. */
export const workerSources = {
  encoder: 'on-device/engine/thread/encoder-worker.ts',
  export: 'core/library/export/export-worker.ts',
  import: 'core/library/import/import-worker.ts',
  inspect: 'core/media/inspect-worker.ts',
  'library-task': 'core/library/task/library-task-worker.ts',
  'own-folder': 'on-device/models/own-folder-worker.ts',
  probe: 'core/media/probe-worker.ts',
  response: 'core/api/response-worker.ts',
  search: 'core/library/search/search-worker.ts',
  sort: 'core/queue/order/sort-worker.ts',
  speaker: 'on-device/speakers/thread/speaker-worker.ts',
  speech: 'on-device/engine/thread/speech-worker.ts',
} as const;

export type WorkerName = keyof typeof workerSources;

/**
 * Returns where a worker's code is.
 *
 * @param builtFolder Contains the built workers and ends with a slash; if absent, Node runs their TypeScript.
 */
export const workerUrl = (name: WorkerName, builtFolder?: URL): URL =>
  builtFolder === undefined
    ? new URL(`../${workerSources[name]}`, import.meta.url)
    : new URL(`${name}-worker.js`, builtFolder);
