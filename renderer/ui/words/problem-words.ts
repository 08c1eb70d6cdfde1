import type { TFunction } from 'i18next';
import type { Problem } from '../../../electron/contract/problem.ts';
import { i18n } from '../../i18n.ts';

/** A problem in plain words: what happened, and the one thing to do. Never the bare code. */
export const problemWords = (t: TFunction, problem: Problem): string =>
  t(`problem.${problem.code}`, { ...problem.params });

/** What happened alone: the first of the two sentences of {@link problemWords}. */
export function reasonWords(t: TFunction, problem: Problem): string {
  const words = problemWords(t, problem);
  return sentencesOf(words)[0] ?? words;
}

const segmenters = new Map<string, Intl.Segmenter>();

/** The sentences of a text in the language of the window. */
export function sentencesOf(text: string): readonly string[] {
  const { language } = i18n;
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: 'sentence' });
  segmenters.set(language, segmenter);
  return Array.from(segmenter.segment(text), ({ segment }) => segment.trim());
}
