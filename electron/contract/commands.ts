import { z } from 'zod';
import {
  exportFormats,
  queueFilters,
  themes,
  type AddReport,
  type AppInfo,
  type ExportReport,
  type ItemId,
  type KeyStatus,
  type LibraryView,
  type QueueView,
  type ServiceStatus,
  type Settings,
  type Transcript,
} from './model.ts';
import { jobOptionsSchema } from './options.ts';
import type { Problem } from './problem.ts';

const nothing = z.undefined();
const id = z.int().positive();
const ids = z.array(id).max(200_000);
const page = { offset: z.int().nonnegative(), limit: z.int().min(0).max(500) };
const path = z.string().min(1).max(32_768);

/** The settings that the window may change, each with its own check. */
export const settingsPatchSchema = z
  .strictObject({
    options: jobOptionsSchema,
    parallelUploads: z.int().min(1).max(4),
    theme: z.enum(themes),
    saveBeside: z.array(z.enum(exportFormats)).max(exportFormats.length),
  })
  .partial();

/**
 * Every command that the window can give, with the schema of its input. The main process parses each call with it;
 * the renderer imports the types alone.
 */
export const commandSchemas = {
  'app.info': nothing,
  'app.showDataFolder': nothing,
  'queue.watch': z.strictObject({ filter: z.enum(queueFilters), ...page }),
  'queue.ids': z.strictObject({
    filter: z.enum(queueFilters),
    offset: page.offset,
    limit: z.int().positive().max(200_000),
  }),
  'queue.add': z.strictObject({
    paths: z.array(path).max(200_000),
    links: z.array(z.string().max(8192)).max(10_000),
  }),
  'queue.pick': z.strictObject({ what: z.enum(['files', 'folder']) }),
  'queue.pause': z.strictObject({ ids }),
  'queue.resume': z.strictObject({ ids }),
  'queue.retry': z.strictObject({ ids }),
  'queue.cancel': z.strictObject({ ids }),
  'queue.remove': z.strictObject({ ids }),
  'queue.locate': z.strictObject({ id }),
  'queue.pauseAll': nothing,
  'queue.resumeAll': nothing,
  'queue.clearFinished': nothing,
  'queue.retryFailed': nothing,
  'queue.showInFolder': z.strictObject({ id }),
  'library.list': z.strictObject({ query: z.string().max(1000), ...page }),
  'transcript.get': z.strictObject({ id }),
  'transcript.export': z.strictObject({ ids, format: z.enum(exportFormats) }),
  'settings.get': nothing,
  'settings.change': settingsPatchSchema,
  'service.status': nothing,
  'service.useOnDevice': nothing,
  'service.connect': z.strictObject({
    baseUrl: z.string().min(1).max(2048),
    /** Absent: the key that is already kept for this address. */
    key: z.string().min(1).max(4096).optional(),
  }),
  'service.forgetKey': nothing,
  'service.tryAgain': nothing,
} as const satisfies Record<string, z.ZodType>;

export type CommandName = keyof typeof commandSchemas;
export type CommandInput<N extends CommandName> = z.infer<(typeof commandSchemas)[N]>;

/** What each command answers. */
export interface CommandResults {
  'app.info': AppInfo;
  'app.showDataFolder': void;
  /** Sets the part of the queue that this window is told about by `queue.changed`, and answers its present state. */
  'queue.watch': QueueView;
  /** The items of a stretch of the queue, in its order: a selection reaches beyond the watched rows. */
  'queue.ids': readonly ItemId[];
  'queue.add': AddReport;
  'queue.pick': AddReport;
  'queue.pause': void;
  'queue.resume': void;
  'queue.retry': void;
  'queue.cancel': void;
  'queue.remove': void;
  'queue.locate': { readonly located: boolean };
  'queue.pauseAll': void;
  'queue.resumeAll': void;
  'queue.clearFinished': void;
  'queue.retryFailed': void;
  'queue.showInFolder': void;
  'library.list': LibraryView;
  'transcript.get': Transcript | null;
  'transcript.export': ExportReport;
  'settings.get': Settings;
  'settings.change': Settings;
  'service.status': ServiceStatus;
  'service.useOnDevice': Settings;
  /** Asks the service once with the key before anything is saved; refuses with the reason otherwise. */
  'service.connect': { readonly settings: Settings; readonly keyStatus: KeyStatus };
  'service.forgetKey': { readonly keyStatus: KeyStatus };
  'service.tryAgain': void;
}

/** An answer crosses the process boundary as data: thrown errors would lose their problem. */
export type CommandAnswer<N extends CommandName> =
  | { readonly ok: true; readonly value: CommandResults[N] }
  | { readonly ok: false; readonly problem: Problem };
