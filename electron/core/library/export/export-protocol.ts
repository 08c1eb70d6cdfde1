import { z } from 'zod';
import type { ExportProgress } from '../../../contract/export.ts';
import type { Problem } from '../../../contract/problem.ts';
import type { ExportJob } from './export-job.ts';
import type { LayoutQuestion } from './layout-quality.ts';
import type { FilesToWrite } from './write-files.ts';

/** What the thread is given when it starts. */
export const exportThreadData = z.object({ folder: z.string(), workerUrl: z.string() });

/** What the thread is asked to do. */
export type ExportTask =
  | { readonly kind: 'preview'; readonly job: ExportJob }
  | { readonly kind: 'run'; readonly job: ExportJob }
  | { readonly kind: 'write'; readonly files: FilesToWrite }
  | { readonly kind: 'assess'; readonly question: LayoutQuestion };

/** What the main thread says to the one that exports. */
export type ToExportThread =
  | { readonly kind: 'begin'; readonly request: number; readonly task: ExportTask }
  | { readonly kind: 'cancel'; readonly request: number };

/** What it answers. */
export type FromExportThread =
  | { readonly kind: 'progress'; readonly request: number; readonly progress: ExportProgress }
  | { readonly kind: 'done'; readonly request: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly request: number; readonly problem: Problem };
