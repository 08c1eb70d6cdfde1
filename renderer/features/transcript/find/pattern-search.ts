import { useEffect, useState } from 'react';
import type { PatternFailure, Query } from '../../../../electron/contract/query.ts';
import type { Draft } from '../../../../electron/contract/transcript.ts';
import {
  maxMatchingMs,
  unpackMatches,
  type ExpandedMatch,
  type PatternReplacement,
} from '../../../../electron/core/transcript/user-pattern.ts';
import type { FoundMatch } from './matches.ts';
import type { PatternResponse, PatternRequest } from './pattern-worker.ts';

type Texts = Pick<Draft, 'segments' | 'text'>;

/** Returns the texts of a transcript: those of its segments, or the only one without times. */
const textsOf = ({ segments, text }: Texts): readonly string[] =>
  text === null ? segments.map((segment) => segment.text) : [text];

/**
 * Matches a pattern in a new worker, which is terminated if it takes too long, so that no pattern can block the window.
 *
 * @param signal ends the work; the promise then stays pending
 */
function runWorker(request: PatternRequest, signal?: AbortSignal): Promise<PatternResponse> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./pattern-worker.ts', import.meta.url), { type: 'module' });
    let timer: ReturnType<typeof setTimeout>;
    const finish = (response?: PatternResponse): void => {
      clearTimeout(timer);
      worker.terminate();
      if (response !== undefined) resolve(response);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<PatternResponse>) => {
      // The time to load the worker does not count.
      if (data.kind === 'started')
        timer = setTimeout(() => finish({ kind: 'failed', failure: 'slow' }), maxMatchingMs);
      else finish(data);
    });
    worker.addEventListener('error', () => finish({ kind: 'failed', failure: 'other' }));
    signal?.addEventListener('abort', () => finish());
    worker.postMessage(request);
  });
}

/** The matches of a pattern in a transcript. */
export interface PatternResult {
  readonly matches: readonly FoundMatch[];
  /** Whether there are more. */
  readonly isCapped: boolean;
  readonly failure: PatternFailure | null;
}

/** A result that is shown. */
export interface ShownResult extends PatternResult {
  /** Whether the text has changed since. */
  readonly isStale: boolean;
}

/**
 * Finds the matches of a pattern in a transcript.
 *
 * @param signal ends the work; the promise then stays pending
 */
export async function findPattern(texts: Texts, query: Query, signal?: AbortSignal): Promise<PatternResult> {
  const response = await runWorker({ kind: 'find', query, texts: textsOf(texts) }, signal);
  if (response.kind !== 'found') return { matches: [], isCapped: false, failure: failureOf(response) };
  const matches = unpackMatches(response.matches).map(({ index, start, end }) => ({
    segment: texts.text === null ? (texts.segments[index]?.id ?? null) : null,
    start,
    end,
  }));
  return { matches, isCapped: response.matches.isCapped, failure: null };
}

/** Replaces all matches of a pattern. */
export async function replaceMatches(
  texts: Texts,
  query: Query,
  replacement: string,
): Promise<PatternReplacement | PatternFailure> {
  const response = await runWorker({ kind: 'replace', query, texts: textsOf(texts), replacement });
  return response.kind === 'replaced' ? response.replacement : failureOf(response);
}

/** Returns what replaces the match at an offset of a text; `null` when there is none. */
export async function expandMatch(
  text: string,
  query: Query,
  start: number,
  replacement: string,
): Promise<ExpandedMatch | null> {
  const response = await runWorker({ kind: 'expand', query, texts: [text], start, replacement });
  return response.kind === 'expanded' ? response.match : null;
}

const failureOf = (response: PatternResponse): PatternFailure =>
  response.kind === 'failed' ? response.failure : 'other';

/**
 * Finds a pattern in a transcript. While its text changes, the matches are a moment older.
 *
 * @param query `null` for no search
 * @returns the latest matches; `null` while those of a new pattern are being computed
 */
export function usePatternMatches(texts: Texts, query: Query | null): ShownResult | null {
  const [latest, setLatest] = useState<{
    readonly texts: Texts;
    readonly query: Query;
    readonly result: PatternResult;
  } | null>(null);
  useEffect(() => {
    if (query === null || query.text === '') return undefined;
    const cancel = new AbortController();
    void findPattern(texts, query, cancel.signal).then((result) => setLatest({ texts, query, result }));
    return () => cancel.abort();
  }, [texts, query]);
  return latest !== null && latest.query === query
    ? { ...latest.result, isStale: latest.texts !== texts }
    : null;
}
