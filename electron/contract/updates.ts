import { command, noInput, result } from './command.ts';
import type { Problem } from './problem.ts';

/** What is known about a newer version of the program. */
export type UpdateState =
  /** This installation has no feed, so it never looks for a newer version. */
  | { readonly kind: 'unavailable' }
  /** No newer version is known. */
  | { readonly kind: 'none' }
  /** `install`: the program can replace itself; `website`: the user downloads the new version in the browser. */
  | { readonly kind: 'offered'; readonly version: string; readonly how: 'install' | 'website' }
  | { readonly kind: 'downloading'; readonly version: string; /** 0..1 */ readonly fractionDone: number }
  /** Downloaded and verified. `isBusy`: work is in progress, so it cannot be installed now. */
  | { readonly kind: 'ready'; readonly version: string; readonly isBusy: boolean }
  | { readonly kind: 'failed'; readonly version: string; readonly problem: Problem };

export const updateCommands = {
  'updates.state': command({ input: noInput, result: result<UpdateState>() }),
  /** Downloads the offered version, or opens its address in the browser. `updates.changed` reports the progress. */
  'updates.download': command({ input: noInput, downloads: true }),
  /** Quits, installs the downloaded version and starts it. Rejects with `update_busy` while work is in progress. */
  'updates.install': command({ input: noInput }),
} as const;
