/** The library's thread, which may be killed anywhere. */
import { arm } from './library-points.ts';

arm();
await import('../../electron/core/library/task/library-task-worker.ts');
