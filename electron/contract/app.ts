import type { Problem } from './problem.ts';

export interface AppInfo {
  readonly version: string;
  readonly platform: 'darwin' | 'win32' | 'linux';
  /** Problems found at start that the user should know of. */
  readonly startProblems: readonly Problem[];
  /** `true` until the user has chosen a service. */
  readonly firstStart: boolean;
}
