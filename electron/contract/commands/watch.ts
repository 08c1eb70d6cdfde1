import { z } from 'zod';
import type { WatchedFolder } from '../watched-folders.ts';
import { id, nothing } from './inputs.ts';

export const watchCommands = {
  'watch.list': nothing,
  'watch.pick': z.strictObject({
    /** Whether recordings that are in the folder already are added too. */
    addPresent: z.boolean(),
  }),
  'watch.change': z.strictObject({ id, paused: z.boolean().optional(), polled: z.boolean().optional() }),
  'watch.remove': z.strictObject({ id }),
  'watch.show': z.strictObject({ id }),
} as const;

export interface WatchResults {
  'watch.list': readonly WatchedFolder[];
  /** Asks for a folder and watches it from now on. */
  'watch.pick': readonly WatchedFolder[];
  'watch.change': readonly WatchedFolder[];
  'watch.remove': readonly WatchedFolder[];
  'watch.show': void;
}
