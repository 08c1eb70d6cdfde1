import { z } from 'zod';
import type { LibraryView } from '../model/library.ts';
import { page } from './inputs.ts';

export const libraryCommands = {
  'library.list': z.strictObject({ query: z.string().max(1000), ...page }),
} as const;

export interface LibraryResults {
  'library.list': LibraryView;
}
