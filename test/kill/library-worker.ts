/** The library's worker thread with kill points. */
import { arm } from './library-points.ts';

arm();
await import('../../electron/core/library/task/library-task-worker.ts');
