/** Matches patterns that the user typed, in a worker that the window terminates when that takes too long. */
import type { PatternFailure, Query } from '../../../../electron/contract/query.ts';
import {
  compilePattern,
  expandAt,
  findPattern,
  replacePattern,
  type ExpandedMatch,
  type PatternMatches,
  type PatternReplacement,
} from '../../../../electron/core/transcript/user-pattern.ts';

/** From the window to the worker. */
export type PatternRequest = { readonly query: Query; readonly texts: readonly string[] } & (
  | { readonly kind: 'find' }
  | { readonly kind: 'replace'; readonly replacement: string }
  /** Expands the replacement of the match at an offset of the only text. */
  | { readonly kind: 'expand'; readonly replacement: string; readonly start: number }
);

/** From the worker to the window. */
export type PatternResponse =
  /** The worker is loaded and starts matching. */
  | { readonly kind: 'started' }
  | { readonly kind: 'found'; readonly matches: PatternMatches }
  | { readonly kind: 'replaced'; readonly replacement: PatternReplacement }
  | { readonly kind: 'expanded'; readonly match: ExpandedMatch | null }
  | { readonly kind: 'failed'; readonly failure: PatternFailure };

function respondTo(request: PatternRequest): PatternResponse {
  const pattern = compilePattern(request.query);
  if (typeof pattern === 'string') return { kind: 'failed', failure: pattern };
  const { texts } = request;
  switch (request.kind) {
    case 'find':
      return { kind: 'found', matches: findPattern(texts, pattern) };
    case 'replace': {
      const replacement = replacePattern(texts, pattern, request.replacement);
      return replacement === null ? { kind: 'failed', failure: 'long' } : { kind: 'replaced', replacement };
    }
    case 'expand':
      return {
        kind: 'expanded',
        match: expandAt(texts[0] ?? '', pattern, request.start, request.replacement),
      };
  }
}

const post = (response: PatternResponse): void => self.postMessage(response);

self.addEventListener('message', ({ data }: MessageEvent<PatternRequest>) => {
  post({ kind: 'started' });
  try {
    post(respondTo(data));
  } catch {
    // V8 compiles a pattern when it is first used, and gives up on one that needs too much memory.
    post({ kind: 'failed', failure: 'slow' });
  }
});
